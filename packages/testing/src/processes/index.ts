export * from './data-folder.ts';
export * from './free-port.ts';
export * from './product.ts';
export * from './start-process.ts';
