export interface Command { readonly file: string; readonly args: readonly string[]; readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly native?: boolean }
export interface Measured {
  readonly wallMs: number;
  readonly cpuMs?: number;
  readonly peakKiB?: number;
  readonly status: number | null;
  readonly late: boolean;
  readonly stdout: string;
  readonly stderr: string;
}
export declare function usageWays(): readonly ('time' | 'own')[];
export declare function measure(command: Command, options: { readonly timeoutMs: number; readonly way?: 'time' | 'own' }): Promise<Measured>;
export declare function endRunning(): void;
