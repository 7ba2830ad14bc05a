interface Ran { readonly status: number | null; readonly stdout: string; readonly stderr: string; readonly cpuMs?: number }
interface Told { readonly note?: string; readonly failed?: string; readonly share?: number }
export declare function readTsc(ran: Ran): Told;
export declare function readEslint(ran: Ran): Told;
export declare function readOxlint(ran: Ran): Told;
export declare function firstLine(text: string): string | undefined;
export declare function counted(count: number, thing: string): string;
