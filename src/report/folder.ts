/** The folder of a file of the review; `.` for the root. */
export function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end === -1 ? '.' : file.slice(0, end);
}
