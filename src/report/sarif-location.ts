import type { ArtifactLocation, Location, Region } from 'sarif';
import { fileUri } from './file-uri.js';
import { textLines } from './source-text.js';

/** The name GitHub gives the top folder of the repository. */
export const SOURCE_ROOT = '%SRCROOT%';

export function fileLocation(file: string, pathPrefix: string | undefined): ArtifactLocation {
  return { uri: fileUri(file, pathPrefix), uriBaseId: SOURCE_ROOT };
}

/** A place as a location; columns count UTF-16 units from 1. */
export function pointLocation({ file, line, column }: { readonly file: string; readonly line: number; readonly column?: number }, pathPrefix: string | undefined, message?: string): Location {
  return {
    physicalLocation: {
      artifactLocation: fileLocation(file, pathPrefix),
      region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) },
    },
    ...(message === undefined ? {} : { message: { text: message } }),
  };
}

/**
 * The first line of a place: a pull request shows an alert only where all its lines are in the diff.
 * @param source The text of the file, for the end of a line that the place runs over; without it the region ends with its line.
 */
export function oneLine(place: { readonly line: number; readonly column: number; readonly endLine: number; readonly endColumn: number }, source: string | undefined): Region {
  const start = { startLine: place.line, startColumn: place.column, endLine: place.line };
  if (place.endLine === place.line) return { ...start, endColumn: Math.max(place.endColumn, place.column) };
  const line = source === undefined ? undefined : textLines(source)[place.line - 1];
  return line === undefined ? start : { ...start, endColumn: Math.max(line.trimEnd().length + 1, place.column) };
}
