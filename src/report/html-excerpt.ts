import type { Excerpt, ExcerptLine, NumberedStep } from './excerpt.js';
import { code, escape, prose } from './html-text.js';
import type { ColouredText, colouredLines } from './source-colours.js';

/**
 * The source of one file of a path: numbered lines, each step with its number and its note.
 * @param colours The lines of the file by tokens, where it is small enough for them.
 */
export function htmlExcerpt({ file, runs }: Excerpt, finding: string, colours: ReturnType<typeof colouredLines>): string {
  const parts = runs.map((run) => run.map((line) => htmlLine(line, finding, colours?.[line.number - 1])).join(''));
  return `<figure class="source"><figcaption>${code(file)}</figcaption><pre tabindex="0">${parts.join('<span class="gap">\u22ef</span>')}</pre></figure>`;
}

function htmlLine({ number, text, cut, steps, reported }: ExcerptLine, finding: string, coloured: readonly ColouredText[] | undefined): string {
  const kind = steps.length > 0 ? ' on-path' : '';
  const marks = steps.map((each) => mark(each, finding)).join('');
  const shown = cut || coloured === undefined ? escape(text) + (cut ? ' <span class="cut">(a part of a long line)</span>' : '') : coloured.map(piece).join('');
  return `<span class="line${kind}${reported ? ' reported' : ''}"><span class="no">${number}</span><span class="marks">${marks}</span><span class="text">${shown}\n</span></span>`
    + steps.map(note).join('');
}

function piece({ text, kind }: ColouredText): string {
  return kind === undefined ? escape(text) : `<span class="t-${kind}">${escape(text)}</span>`;
}

function mark({ number, step }: NumberedStep, finding: string): string {
  return `<a class="step r-${step.role}" id="${finding}-s${number}" href="#${finding}-s${number}" aria-label="Step ${number}, ${step.role}">${number}</a>`;
}

function note({ number, step }: NumberedStep): string {
  return `<span class="note">${number} ${step.role}${step.note === '' ? '' : `: ${prose(step.note)}`}\n</span>`;
}
