/** The texts of files by path, each read when it is asked for: of a tree that has hardly changed few are. Going through all of them reads all. */
export class Texts extends Map<string, string> {
  private readonly unread = new Set<string>();

  /** @param read The text of a file that was added without one. */
  constructor(private readonly read: (path: string) => string) {
    super();
  }

  /** Takes a file up; it is read when its text is asked for. */
  add(path: string): this {
    this.unread.add(path);
    return super.set(path, '');
  }

  override set(path: string, text: string): this {
    this.unread.delete(path);
    return super.set(path, text);
  }

  override get(path: string): string | undefined {
    if (this.unread.has(path)) this.set(path, this.read(path));
    return super.get(path);
  }

  override entries(): MapIterator<[string, string]> {
    for (const path of [...this.unread]) this.get(path);
    return super.entries();
  }

  override [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }

  override values(): MapIterator<string> {
    for (const path of [...this.unread]) this.get(path);
    return super.values();
  }

  override forEach(work: (text: string, path: string, map: Map<string, string>) => void): void {
    for (const [path, text] of this) work(text, path, this);
  }

  /** The same files in the order of their paths. */
  sorted(): Texts {
    const texts = new Texts((path) => this.get(path) ?? '');
    for (const path of [...this.keys()].sort()) texts.add(path);
    return texts;
  }
}
