/**
 * The line on which each entry of `exceptions` begins, from 1.
 * @param json A text that is JSON with an object at the top; it was parsed already.
 */
export function entryLines(json: string): number[] {
  const lines: number[] = [];
  const open: string[] = [];
  let key = '';
  let line = 1;
  for (const { 0: sign } of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}\n]/gs)) {
    if (sign === '\n') line++;
    else if (sign.startsWith('"')) key = open.length === 1 ? sign : key;
    else if (sign === ']' || sign === '}') open.pop();
    else {
      if (sign === '{' && open.length === 2 && open[1] === '[' && key === '"exceptions"') lines.push(line);
      open.push(sign);
    }
  }
  return lines;
}
