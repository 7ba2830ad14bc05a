/** The day exceptions are judged at where none is set, `YYYY-MM-DD`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
