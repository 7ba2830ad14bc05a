/**
 * A path as a relative URI reference, every segment percent-encoded.
 * @param prefix The working directory seen from the top of the repository: empty, or `a/b/`. Code hosts resolve from the top.
 */
export function fileUri(file: string, prefix = ''): string {
  return repositoryPath(file, prefix).split('/').map(segment).join('/');
}

/** A path seen from the top of the repository; `../` of a file beside the working directory is resolved. */
export function repositoryPath(file: string, prefix = ''): string {
  const parts: string[] = [];
  for (const part of `${prefix}${file}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function segment(part: string): string {
  // Half a surrogate pair has no UTF-8 form; file names that are not UTF-8 can bring one in.
  return encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
