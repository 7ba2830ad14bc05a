export interface Point { readonly x: number; readonly y: number }
export declare function median(values: readonly number[]): number | undefined;
export declare function pairedRatio(a: readonly number[], b: readonly number[]): number | undefined;
export declare function linearFit(points: readonly Point[]): { readonly slope: number; readonly intercept: number; readonly farthest: number } | undefined;
export declare function lastExponent(points: readonly Point[]): number | undefined;
