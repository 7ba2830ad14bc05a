export interface Run { readonly wallMs: number; readonly cpuMs?: number; readonly peakKiB?: number; readonly share?: number }
export interface Row { readonly id: string; readonly words: string; readonly runs: readonly Run[]; readonly note?: string; readonly failed?: string }
export declare const PAIRS: readonly (readonly [string, string])[];
export declare function rowsTable(rows: readonly Row[]): string;
export declare function ratiosTable(rows: readonly Row[]): string;
export declare function scalingTable(sizes: readonly { readonly copies: number; readonly files: number; readonly runs: readonly Run[] }[]): string;
