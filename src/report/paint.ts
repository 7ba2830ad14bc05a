import { styleText } from 'node:util';

export type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** The caller has decided about colour; Node's own look at the terminal is switched off so that the report is a pure function. */
export function createPaint(color: boolean): Paint {
  return color ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}

/** Source is shown on a terminal: its control characters must not steer it. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}
