// Which part of a file a request asks for (RFC 9110, section 14). Pure.

export interface ByteRange {
  readonly from: number;
  /** The last byte, not the one behind it. */
  readonly to: number;
}

/**
 * `whole`: no range that counts, so the answer is all of the file. A header that is no range of bytes, or several of them, is ignored, as
 * the standard lets a server do.
 */
export type RequestedPart = ByteRange | 'whole' | 'unsatisfiable';

export interface RangeHeaders {
  readonly range?: string | undefined;
  readonly 'if-range'?: string | string[] | undefined;
}

/** `etag`: of the file as it is now. A range of any other state of it does not count. */
export function byteRangeOf(headers: RangeHeaders, { size, etag }: { size: number; etag: string }): RequestedPart {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return 'whole';
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') return lastBytes(Number(last), size);
  const [from, to] = [Number(first), last === '' ? size - 1 : Number(last)];
  if (last !== '' && to < from) return 'whole';
  return from >= size ? 'unsatisfiable' : { from, to: Math.min(to, size - 1) };
}

function lastBytes(count: number, size: number): RequestedPart {
  if (count === 0 || size === 0) return 'unsatisfiable';
  return { from: Math.max(0, size - count), to: size - 1 };
}
