export interface BenchOptions {
  readonly checkout: string;
  readonly path: string;
  readonly tsconfig: string;
  readonly rows: readonly string[];
  readonly runs: number;
  readonly copies: readonly number[];
  readonly timeout: number;
  readonly keep: boolean;
  readonly mistake?: undefined;
  readonly help?: undefined;
}
export declare const USAGE: string;
export declare function readCommandLine(args: readonly string[], cwd: string): BenchOptions | { readonly mistake: string; readonly help?: undefined } | { readonly help: true; readonly mistake?: undefined };
