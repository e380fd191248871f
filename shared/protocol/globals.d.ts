// The few globals that browsers, workers and Node have in common and this folder uses. Only this folder's own
// tsconfig sees the file; elsewhere the platform's declarations are the same ones.
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean });
  decode(bytes: Uint8Array): string;
}
