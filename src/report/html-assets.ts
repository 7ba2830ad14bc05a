// Written by scripts/generate-html-assets.mjs from src/report/client. Do not edit.

/** The script of the HTML report. */
export const SCRIPT: string = `
"use strict";
(() => {
  // src/report/client/elements.ts
  function element(id, kind) {
    const found = document.getElementById(id);
    return found instanceof kind ? found : void 0;
  }
  function tell(message) {
    const status = element("status", HTMLElement);
    if (status === void 0) return;
    status.textContent = message;
    status.classList.add("seen");
    setTimeout(() => {
      status.classList.remove("seen");
    }, 2500);
  }
  function unhide(id) {
    element(id, HTMLElement)?.removeAttribute("hidden");
  }

  // src/report/client/copy.ts
  function startCopying() {
    const issues = readIssues();
    const copy = (finding) => {
      const text = issues.get(finding);
      if (text !== void 0) void write(finding, text);
    };
    for (const button of document.querySelectorAll("button[data-copy]")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        copy(button.dataset["copy"] ?? "");
      });
    }
    return { copy };
  }
  async function write(finding, text) {
    try {
      await navigator.clipboard.writeText(text);
      tell(\`\${finding} is copied\`);
    } catch {
      const field = element("copy-text", HTMLTextAreaElement);
      if (field === void 0) return;
      field.value = text;
      element("copy", HTMLDialogElement)?.showModal();
      field.select();
    }
  }
  function readIssues() {
    const data = JSON.parse(element("data", HTMLScriptElement)?.textContent ?? "{}");
    if (typeof data !== "object" || data === null || !("issues" in data) || typeof data.issues !== "object" || data.issues === null) return /* @__PURE__ */ new Map();
    return new Map(Object.entries(data.issues).flatMap(([id, text]) => typeof text === "string" ? [[id, text]] : []));
  }

  // src/report/client/filters.ts
  function startFilters() {
    const findings = [...document.querySelectorAll("article.finding")];
    const form = element("filters", HTMLFormElement);
    if (form !== void 0) listen(form, findings);
    return { shown: () => findings.filter(({ hidden }) => !hidden) };
  }
  function listen(form, findings) {
    const texts = new Map(findings.map((finding) => [finding, finding.textContent.toLowerCase()]));
    const apply = () => {
      const values = [...new FormData(form)].flatMap(([name, value]) => typeof value === "string" && value !== "" ? [[name, value]] : []);
      for (const finding of findings) finding.hidden = !values.every(([name, value]) => passes(finding, texts.get(finding) ?? "", name, value));
      const shown = findings.filter(({ hidden }) => !hidden).length;
      const output = form.elements.namedItem("shown");
      if (output instanceof HTMLOutputElement) output.value = shown === findings.length ? \`\${String(shown)} findings\` : \`\${String(shown)} of \${String(findings.length)} findings\`;
    };
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
    });
    form.addEventListener("reset", () => {
      setTimeout(apply);
    });
    apply();
    const reveal = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const finding = target?.closest("article.finding");
      if (finding?.hidden === true) {
        form.reset();
        for (const each of findings) each.hidden = false;
      }
      const folded = target?.closest("details");
      if (folded) folded.open = true;
      const inner = target?.querySelector(":scope > details");
      if (inner instanceof HTMLDetailsElement) inner.open = true;
      target?.scrollIntoView({ block: "start" });
    };
    addEventListener("hashchange", reveal);
    if (location.hash !== "") reveal();
  }
  function passes(finding, text, name, value) {
    if (name === "search") return value.toLowerCase().split(/\\s+/).every((word) => text.includes(word));
    const own = finding.dataset[name] ?? "";
    return own === value || name === "folder" && own.startsWith(\`\${value}/\`);
  }

  // src/report/client/keys.ts
  function startKeys(actions) {
    unhide("help");
    const keys = element("keys", HTMLDialogElement);
    element("help", HTMLButtonElement)?.addEventListener("click", () => {
      keys?.showModal();
    });
    let current;
    document.addEventListener("focusin", ({ target }) => {
      if (target instanceof Element) current = target.closest("article.finding") ?? current;
    });
    const goTo = (finding2) => {
      if (finding2 === void 0) return;
      current = finding2;
      finding2.focus({ preventScroll: true });
      finding2.scrollIntoView({ block: "start" });
      history.replaceState(null, "", \`#\${finding2.id}\`);
    };
    const finding = (by) => {
      const shown = actions.shown();
      const at = current === void 0 ? -1 : shown.indexOf(current);
      goTo(shown[at === -1 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)]);
    };
    const step = (by) => {
      if (current === void 0 || current.hidden) finding(1);
      if (current !== void 0) goToStep(current, by);
    };
    const bindings = {
      "j": () => {
        finding(1);
      },
      "k": () => {
        finding(-1);
      },
      "n": () => {
        step(1);
      },
      "p": () => {
        step(-1);
      },
      "c": () => {
        if (current !== void 0) actions.copy(current.id);
      },
      "t": () => {
        actions.toggleTheme();
      },
      "?": () => {
        keys?.showModal();
      },
      "/": () => {
        document.querySelector("#filters input[type=search]")?.focus();
      }
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || document.querySelector("dialog[open]") !== null) return;
      const run = bindings[event.key];
      if (run === void 0) return;
      event.preventDefault();
      run();
    });
  }
  function goToStep(finding, by) {
    const number = (step2) => Number(step2.id.slice(step2.id.lastIndexOf("-s") + 2));
    const steps = [...finding.querySelectorAll(".step")].sort((a, b) => number(a) - number(b));
    const at = steps.findIndex((step2) => step2 === document.activeElement);
    const step = at === -1 ? steps[by === 1 ? 0 : steps.length - 1] : steps[Math.min(Math.max(at + by, 0), steps.length - 1)];
    if (step === void 0) return;
    const folded = step.closest("details");
    if (folded) folded.open = true;
    step.focus({ preventScroll: true });
    step.scrollIntoView({ block: "center" });
  }
  function isWriting(target) {
    return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  }

  // src/report/client/print.ts
  function startPrinting() {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open])")];
      for (const each of opened) each.open = true;
    });
    addEventListener("afterprint", () => {
      for (const each of opened) each.open = false;
    });
  }

  // src/report/client/theme.ts
  var KEY = "step-lock-theme";
  function startTheme() {
    const root = document.documentElement;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const stored = read();
    if (stored === "dark" || stored === "light") root.dataset["theme"] = stored;
    const toggle = () => {
      const dark = root.dataset["theme"] === void 0 ? system.matches : root.dataset["theme"] === "dark";
      root.dataset["theme"] = dark ? "light" : "dark";
      write2(root.dataset["theme"]);
    };
    const button = element("theme", HTMLButtonElement);
    if (button !== void 0) button.hidden = false;
    button?.addEventListener("click", toggle);
    return { toggle };
  }
  function read() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }
  function write2(theme2) {
    try {
      localStorage.setItem(KEY, theme2);
    } catch {
    }
  }

  // src/report/client/main.ts
  var theme = startTheme();
  var filters = startFilters();
  var copying = startCopying();
  startKeys({ toggleTheme: theme.toggle, copy: copying.copy, shown: filters.shown });
  startPrinting();
})();
`;

/** The style of the HTML report. */
export const STYLE: string = `
/* src/report/client/report.css */
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e4e7eb);
  --quiet: light-dark(#57606a, #a2abb5);
  --ground: light-dark(#ffffff, #14171a);
  --raised: light-dark(#f5f7f9, #1d2125);
  --line: light-dark(#d5dae0, #363c43);
  --link: light-dark(#0a58b8, #7db8ff);
  --error: light-dark(#b3161b, #ff8f8a);
  --warning: light-dark(#875400, #eebb55);
  --good: light-dark(#15682f, #71cf8c);
  --error-ground: light-dark(#fdeceb, #3a1c1c);
  --warning-ground: light-dark(#fdf3dc, #352a12);
  --good-ground: light-dark(#e6f5ea, #17301e);
  --keyword: light-dark(#7a2ba6, #d6b0ff);
  --string: light-dark(#0d5c2e, #86d6a0);
  --number: light-dark(#0a4fa3, #86bfff);
  --path-ground: light-dark(#fff5d6, #383014);
  --focus: light-dark(#0a58b8, #7db8ff);
}
:root[data-theme=light] {
  color-scheme: light;
}
:root[data-theme=dark] {
  color-scheme: dark;
}
* {
  box-sizing: border-box;
}
html {
  scroll-padding-top: 1rem;
}
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font:
    15px/1.5 system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "Noto Sans",
    sans-serif;
  display: grid;
  grid-template: "top top" auto "nav main" 1fr "foot foot" auto / 15rem minmax(0, 1fr);
}
.skip {
  position: absolute;
  left: -99rem;
  padding: .5rem 1rem;
  background: var(--ground);
  z-index: 2;
}
.skip:focus {
  left: .5rem;
  top: .5rem;
}
.top {
  grid-area: top;
  padding: 1rem 1.5rem .75rem;
  border-bottom: 1px solid var(--line);
  display: grid;
  grid-template-columns: 1fr auto;
  gap: .25rem 1rem;
  align-items: start;
}
.top h1 {
  margin: 0;
  font-size: 1.35rem;
}
.top .tools {
  margin: 0;
  grid-column: 2;
  grid-row: 1;
  white-space: nowrap;
}
.top .verdict,
.top .changed {
  margin: 0;
  grid-column: 1 / -1;
}
.verdict strong {
  display: inline-block;
  padding: .05rem .6rem;
  margin-right: .4rem;
  border-radius: 1rem;
  border: 1px solid;
}
.v-not-ready strong {
  color: var(--error);
  background: var(--error-ground);
}
.v-undecided strong,
.v-nothing-seen strong {
  color: var(--warning);
  background: var(--warning-ground);
}
.v-ready strong {
  color: var(--good);
  background: var(--good-ground);
}
nav {
  grid-area: nav;
  border-right: 1px solid var(--line);
}
nav ul {
  position: sticky;
  top: 0;
  margin: 0;
  padding: 1rem 1rem 1rem 1.5rem;
  list-style: none;
}
nav li {
  margin: .3rem 0;
}
nav a {
  text-decoration: none;
}
nav a:hover {
  text-decoration: underline;
}
.aside {
  color: var(--quiet);
  font-size: .85em;
}
main {
  grid-area: main;
  padding: 0 1.5rem 3rem;
  max-width: 78rem;
  min-width: 0;
}
main:focus {
  outline: none;
}
footer {
  grid-area: foot;
  padding: .5rem 1.5rem;
  border-top: 1px solid var(--line);
  color: var(--quiet);
  font-size: .85rem;
}
section {
  padding-top: 1.25rem;
}
h2 {
  font-size: 1.2rem;
  margin: 0 0 .75rem;
  padding-bottom: .3rem;
  border-bottom: 1px solid var(--line);
}
h3 {
  font-size: 1rem;
  margin: 1.5rem 0 .4rem;
}
p {
  margin: .4rem 0;
}
a {
  color: var(--link);
}
:focus-visible {
  outline: 2px solid var(--focus);
  outline-offset: 2px;
}
code,
pre,
kbd {
  font:
    .87em/1.5 ui-monospace,
    SFMono-Regular,
    Menlo,
    Consolas,
    "Liberation Mono",
    monospace;
}
code {
  unicode-bidi: isolate;
  overflow-wrap: anywhere;
}
table code {
  overflow-wrap: break-word;
}
:not(pre) > code {
  background: var(--raised);
  border-radius: .25rem;
  padding: .05em .25em;
}
kbd {
  border: 1px solid var(--line);
  border-radius: .25rem;
  padding: 0 .35em;
}
button,
select,
input {
  font: inherit;
  color: inherit;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .35rem;
  padding: .2rem .6rem;
}
button {
  cursor: pointer;
}
button:hover {
  border-color: var(--quiet);
}
.tag {
  display: inline-block;
  padding: 0 .45rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  font-size: .82rem;
  color: var(--quiet);
}
.tag.error {
  color: var(--error);
  border-color: currentcolor;
  background: var(--error-ground);
  font-weight: 600;
}
.tag.warning {
  color: var(--warning);
  border-color: currentcolor;
  background: var(--warning-ground);
  font-weight: 600;
}
.unseen,
.cut {
  color: var(--error);
  font-size: .85em;
}
.first {
  padding-left: 1.4rem;
  margin: 0;
}
.first li {
  margin: 0 0 .8rem;
}
.first p {
  margin: .1rem 0;
}
.places,
.owner {
  color: var(--quiet);
  font-size: .9rem;
}
.bars {
  display: flex;
  flex-wrap: wrap;
  gap: 0 2.5rem;
  align-items: start;
}
.bar rect {
  fill: var(--link);
}
#filters {
  display: flex;
  flex-wrap: wrap;
  gap: .5rem .9rem;
  align-items: center;
  padding: .6rem .8rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: .5rem;
}
#filters[hidden] {
  display: none;
}
#filters label {
  color: var(--quiet);
  font-size: .87rem;
}
#filters select {
  max-width: 14rem;
}
#filters select,
#filters input {
  background: var(--ground);
  color: var(--text);
}
#filters output {
  color: var(--quiet);
}
.finding {
  margin: 1rem 0 1.5rem;
  padding: .7rem 1rem .8rem;
  border: 1px solid var(--line);
  border-left: 4px solid var(--line);
  border-radius: .4rem;
  scroll-margin-top: .75rem;
}
.finding.error {
  border-left-color: var(--error);
}
.finding.warning {
  border-left-color: var(--warning);
}
.finding:target {
  box-shadow: 0 0 0 2px var(--focus);
}
.finding h3 {
  margin: 0;
  font-size: 1.05rem;
}
.finding .anchor {
  color: var(--quiet);
}
.finding .at {
  font-weight: 400;
}
.finding .message {
  font-size: 1.02rem;
  margin: .5rem 0;
}
.copy {
  float: right;
  font-size: .82rem;
  padding: 0 .5rem;
}
.path {
  margin: .5rem 0;
  padding-left: 1.6rem;
}
.path li {
  margin: .1rem 0;
}
.role {
  display: inline-block;
  min-width: 4.3rem;
  font-weight: 600;
  font-size: .87rem;
}
.facts {
  margin: .6rem 0;
}
.facts div {
  display: grid;
  grid-template-columns: 8rem minmax(0, 1fr);
  gap: .5rem;
  margin: .1rem 0;
}
.facts dt {
  color: var(--quiet);
}
.facts dd {
  margin: 0;
  overflow-wrap: anywhere;
}
details > summary {
  cursor: pointer;
  color: var(--link);
  padding: .15rem 0;
}
.source {
  margin: .4rem 0 .8rem;
  border: 1px solid var(--line);
  border-radius: .4rem;
  overflow: hidden;
}
.source figcaption {
  padding: .2rem .7rem;
  background: var(--raised);
  border-bottom: 1px solid var(--line);
}
.source pre {
  margin: 0;
  padding: .35rem 0;
  overflow-x: auto;
  tab-size: 4;
}
.line,
.note,
.gap {
  display: block;
}
.line {
  display: grid;
  grid-template-columns: 3.6rem 3.4rem minmax(max-content, 1fr);
}
.line .no {
  text-align: right;
  color: var(--quiet);
  user-select: none;
  padding-right: .5rem;
}
.line .marks {
  text-align: center;
  user-select: none;
}
.line .text {
  padding-right: 1rem;
  white-space: pre;
  unicode-bidi: isolate;
  direction: ltr;
}
.t-keyword {
  color: var(--keyword);
}
.t-string {
  color: var(--string);
}
.t-number {
  color: var(--number);
}
.t-comment {
  color: var(--quiet);
}
.line.on-path {
  background: var(--path-ground);
}
.line.reported .no {
  color: var(--error);
  font-weight: 700;
}
a.step {
  display: inline-block;
  min-width: 1.45em;
  padding: 0 .3em;
  margin: 0 .1em;
  border-radius: 1em;
  background: var(--text);
  color: var(--ground);
  text-decoration: none;
  font-weight: 700;
  text-align: center;
  line-height: 1.35;
}
a.step:target,
a.step:focus {
  background: var(--link);
}
.note {
  padding-left: 7rem;
  color: var(--warning);
  white-space: pre-wrap;
  user-select: none;
  font-family: system-ui, sans-serif;
  font-size: .9em;
  background: var(--path-ground);
}
.gap {
  color: var(--quiet);
  padding-left: 2.2rem;
  user-select: none;
}
.missing {
  color: var(--quiet);
}
.scroll {
  overflow-x: auto;
  margin: .5rem 0 1rem;
}
table {
  border-collapse: collapse;
  font-size: .9rem;
}
th,
td {
  text-align: left;
  vertical-align: top;
  padding: .25rem .6rem;
  border-bottom: 1px solid var(--line);
}
th {
  font-weight: 600;
}
tbody th {
  font-weight: 400;
}
thead th {
  color: var(--quiet);
  font-size: .82rem;
}
table.wide {
  min-width: 70rem;
}
table.locks code {
  overflow-wrap: anywhere;
}
table.locks td {
  min-width: 6.2rem;
}
table.sheet th {
  white-space: nowrap;
  font-weight: 600;
}
table.sheet ul {
  margin: 0;
  padding-left: 1.1rem;
}
.matrix th[scope=row] {
  min-width: 18rem;
}
.matrix thead th span {
  writing-mode: vertical-rl;
  transform: rotate(180deg);
  white-space: nowrap;
}
.matrix thead th {
  vertical-align: bottom;
}
.matrix td {
  text-align: center;
  padding: .2rem .5rem;
}
.s-violated,
.e-weaker {
  color: var(--error);
  font-weight: 600;
}
.s-unknown,
.s-expiring,
.s-expired,
.s-unused,
.s-incomplete {
  color: var(--warning);
}
.s-verified,
.e-stronger,
.s-active {
  color: var(--good);
}
.s-not-applicable {
  color: var(--quiet);
}
td.s-violated {
  background: var(--error-ground);
}
td.s-violated a {
  color: inherit;
}
.toast {
  position: fixed;
  right: 1rem;
  bottom: 1rem;
  padding: .4rem .9rem;
  border-radius: .4rem;
  background: var(--text);
  color: var(--ground);
  opacity: 0;
}
.toast.seen {
  opacity: 1;
}
dialog {
  color: var(--text);
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: .5rem;
  max-width: min(50rem, 92vw);
}
dialog textarea {
  width: 100%;
  font: .85rem/1.4 ui-monospace, monospace;
}
.keys {
  display: grid;
  grid-template-columns: auto 1fr;
  gap: .3rem 1rem;
}
.keys dd {
  margin: 0;
}
@media (max-width: 60rem) {
  body {
    grid-template: "top" auto "nav" auto "main" 1fr "foot" auto / minmax(0, 1fr);
  }
  nav {
    border-right: 0;
    border-bottom: 1px solid var(--line);
  }
  nav ul {
    position: static;
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
    padding: .5rem 1rem;
  }
  .top,
  main,
  footer {
    padding-left: 1rem;
    padding-right: 1rem;
  }
  .facts div {
    grid-template-columns: 1fr;
    gap: 0;
  }
  .copy {
    float: none;
  }
  .line {
    grid-template-columns: 2.6rem 2.2rem minmax(max-content, 1fr);
  }
  .note {
    padding-left: 4.8rem;
  }
}
@media print {
  :root {
    color-scheme: light;
  }
  body {
    display: block;
    font-size: 10pt;
  }
  nav,
  #filters,
  .tools,
  .copy,
  .skip,
  .toast,
  dialog {
    display: none;
  }
  main,
  .top,
  footer {
    padding-left: 0;
    padding-right: 0;
    max-width: none;
  }
  details::details-content {
    content-visibility: visible;
    display: block;
  }
  @page {
    margin: 14mm;
  }
  tr,
  .line,
  .path li,
  .bars {
    break-inside: avoid;
  }
  h2,
  h3,
  .tags,
  .message,
  figcaption {
    break-after: avoid;
  }
  .bars {
    display: block;
  }
  .scroll,
  .source pre {
    overflow: visible;
  }
  table,
  table.wide {
    width: 100%;
    min-width: 0;
    font-size: 8pt;
  }
  .line {
    grid-template-columns: 2.6rem 2.2rem 1fr;
  }
  .line .text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  a {
    color: inherit;
    text-decoration: none;
  }
  a.step {
    color: inherit;
    background: none;
    border: 1px solid;
  }
  .line.on-path,
  .tag,
  .bar {
    print-color-adjust: exact;
  }
  .line.on-path .text {
    font-weight: 700;
  }
  .facts div {
    grid-template-columns: 7rem minmax(0, 1fr);
    gap: .5rem;
  }
}
`;
