/** Stands for a template hole in the joined text; a NUL of the user's own text is read as a blank. */
export const SQL_HOLE = '\0';

/** How many holes a piece of the joined text has. */
export function countHoles(piece: string): number {
  let holes = 0;
  for (let at = piece.indexOf(SQL_HOLE); at !== -1; at = piece.indexOf(SQL_HOLE, at + 1)) {
    holes += 1;
  }
  return holes;
}

/** The piece with each hole written as `{hole:n}`; `first` is the number of its first hole. */
export function showHoles(piece: string, first: number): string {
  let next = first;
  return piece.replaceAll(SQL_HOLE, () => `{hole:${String(next++)}}`);
}
