import { createHash } from 'node:crypto';
import type { Review } from '../review/types.js';
import { changeSentence } from './change-words.js';
import { SCRIPT, STYLE } from './html-assets.js';
import { attribute, escape, jsonData, prose } from './html-text.js';
import { verdictSentence } from './review-words.js';

export interface PageSection {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  /** Its name in the list of sections, where the title is too long for it. */
  readonly short?: string;
  /** Shown in the list of sections behind the title, such as a count. */
  readonly aside?: string;
  /** HTML. */
  readonly content: string;
}

/** The whole page: policy, style, sections, data, script. `data` is what the script reads. */
export function htmlPage(review: Review, sections: readonly PageSection[], data: unknown): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${attribute(`step-lock: ${review.verdict}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the review</a>
<header class="top">
<h1>Lock and state review</h1>
<p class="verdict v-${review.verdict}"><strong>${review.verdict}</strong> ${prose(verdictSentence(review))}</p>${review.change === undefined ? '' : `\n<p class="changed">${prose(changeSentence(review.change))}</p>`}
<p class="tools"><button type="button" id="theme" hidden>Dark or light</button> <button type="button" id="help" aria-haspopup="dialog" hidden>Keys</button></p>
</header>
<nav aria-label="Sections">
<ul>${sections.map(({ id, title, short, aside }) => `<li><a href="#${id}">${escape(short ?? title)}${aside === undefined ? '' : ` <span class="aside">${escape(aside)}</span>`}</a></li>`).join('\n')}</ul>
</nav>
<main id="main" tabindex="-1">
${sections.map(section).join('\n')}
</main>
<footer><p>${escape(`${review.tool.name} ${review.tool.version}`)}. One file: it loads nothing and sends nothing.</p></footer>
<div id="status" role="status" class="toast"></div>
${KEYS_DIALOG}
${COPY_DIALOG}
<script type="application/json" id="data">${jsonData(data)}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Nothing but this page's own style and script, and those by their digest: hostile source cannot run, and the page cannot phone home. */
function policy(): string {
  const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; script-src ${digest(SCRIPT)}; style-src ${digest(STYLE)}; base-uri 'none'; form-action 'none'`;
}

function section({ id, title, content }: PageSection): string {
  return `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${escape(title)}</h2>\n${content}</section>`;
}

const KEYS_DIALOG = `<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
<dl class="keys"><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous finding</dd><dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next and previous step of the finding</dd>
<dt><kbd>c</kbd></dt><dd>copy the finding as issue text</dd><dt><kbd>/</kbd></dt><dd>search</dd><dt><kbd>t</kbd></dt><dd>dark or light</dd><dt><kbd>?</kbd></dt><dd>this list</dd></dl>
<form method="dialog"><button>Close</button></form></dialog>`;

const COPY_DIALOG = `<dialog id="copy" aria-labelledby="copy-title"><h2 id="copy-title">Issue text</h2>
<p>The browser does not let the page copy. Copy it from here.</p><textarea id="copy-text" rows="16" cols="80" readonly aria-labelledby="copy-title"></textarea>
<form method="dialog"><button>Close</button></form></dialog>`;
