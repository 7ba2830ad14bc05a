// Bundles script and style of the HTML report (src/report/client) into the module that the report embeds. With --check: exits 1 on a
// difference. The text is the page's own: a digest of it stands in the page's security policy.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeOrCheck } from './write-or-check.mjs';

const script = await bundled('main.ts');
const style = await bundled('report.css');

writeOrCheck('src/report/html-assets.ts', `// Written by scripts/generate-html-assets.mjs from src/report/client. Do not edit.

/** The script of the HTML report. */
export const SCRIPT: string = ${quoted(script)};

/** The style of the HTML report. */
export const STYLE: string = ${quoted(style)};
`);

async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/report/client/${entry}`, import.meta.url))],
    // Readable on purpose: who opens the page may want to see what it runs.
    bundle: true, write: false, format: 'iife', target: 'es2022', charset: 'ascii', legalComments: 'none', logLevel: 'warning',
  });
  const text = outputFiles[0].text;
  // Within its element the text must not end it.
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`${entry} holds what ends its own element.`);
  return text;
}

/** A template literal keeps the lines, so that a change of the source is a change of a few lines here. */
function quoted(text) {
  return `\`\n${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}
