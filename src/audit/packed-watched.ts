import type { Watched } from './watched.js';

/** What was watched, as it is kept: it is read in every run, mostly to say that nothing moved, so that its numbers are bytes and its digests one text. */
export interface PackedWatched extends Pick<Watched, 'since' | 'files' | 'folders' | 'places'> {
  readonly fileMarks: string;
  readonly digests: string;
  readonly folderMarks: string;
  readonly listings: string;
}

/** No digest and no reason holds a line break. */
const BETWEEN = '\n';

export function packedWatched({ fileMarks, digests, folderMarks, listings, ...rest }: Watched): PackedWatched {
  return { ...rest, fileMarks: packed(fileMarks), digests: digests.join(BETWEEN), folderMarks: packed(folderMarks), listings: listings.join(BETWEEN) };
}

export function unpackedWatched({ fileMarks, digests, folderMarks, listings, ...rest }: PackedWatched): Watched {
  return { ...rest, fileMarks: unpacked(fileMarks), digests: digests.split(BETWEEN), folderMarks: unpacked(folderMarks), listings: listings.split(BETWEEN) };
}

function packed(marks: Watched['fileMarks']): string {
  return Buffer.from(Float64Array.from(marks).buffer).toString('base64');
}

/** The order of bytes is that of the machine: the cache of one is of no use to another of the other order, and is known by what it says of every file. */
function unpacked(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
