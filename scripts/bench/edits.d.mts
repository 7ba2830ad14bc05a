export declare const FAULT_RULE: string;
export declare function edited(text: string, round: number): string;
export declare function editor(root: string, files: readonly string[]): (round: number) => void;
export declare function spread<T>(files: readonly T[], count: number): readonly T[];
