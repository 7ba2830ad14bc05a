export declare function copyCheckout(checkout: string, target: string): string;
export declare function copyManyTimes(folder: string, target: string, count: number): string;
export declare function sourceFiles(root: string, folder: string): string[];
