import { isAbsolute, posix, resolve, sep } from 'node:path';

/** An absolute path with `/` on every system. It is the key of a file everywhere in the audit. */
export function absolutePath(base: string, path: string): string {
  return slashed(isAbsolute(path) ? resolve(path) : resolve(base, path));
}

/** The path with `/` in place of the system's separator. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}

/** The path of a file seen from a folder, both absolute with `/`; `.` for the folder itself. */
export function relativePath(folder: string, path: string): string {
  if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  return posix.relative(folder, path) || '.';
}

/** Whether the path is the folder or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The folders above a path, the one that holds it first. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let below = path, folder = posix.dirname(path); folder !== below; below = folder, folder = posix.dirname(folder)) folders.push(folder);
  return folders;
}

/** The folder and those above it up to `top`; the folder alone when `top` is not above it. */
export function foldersUpTo(top: string, folder: string): string[] {
  return [folder, ...foldersAbove(folder).filter((above) => isWithin(top, above))];
}
