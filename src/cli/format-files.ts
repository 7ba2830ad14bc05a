/** The formats by name, and the file each is written to with `--output-dir`. A table of its own: a run with nothing to do must load neither the reports nor the parser of command lines. */
export const FORMAT_FILES = {
  text: 'step-lock.txt',
  json: 'step-lock.json',
  markdown: 'step-lock.md',
  html: 'step-lock.html',
  sarif: 'step-lock.sarif',
  gitlab: 'step-lock.gitlab.json',
  rdjson: 'step-lock.rdjson',
  'github-annotations': 'step-lock.annotations.txt',
} as const;

export type FormatName = keyof typeof FORMAT_FILES;
