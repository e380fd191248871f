// One file as it comes, in blocks of any order, of which some are lost and some come twice.
import type { OnLimit } from '../../limits/limit.ts';
import { type FileBlock, MAX_BLOCK_NAME_BYTES } from '../jt808/codec/attachmentStream.ts';
import { decodeGbk, encodeGbk } from '../jt808/codec/gbk.ts';
import type { FileRange } from '../jt808/codec/messages/attachments.ts';
import { RANGES_LIMIT } from './attachmentLimits.ts';
import type { AnnouncedFile, OpenAttachment } from './attachmentSink.ts';
import { ReceivedRanges } from './receivedRanges.ts';

export interface FileReception {
  readonly name: string;
  readonly isComplete: boolean;
  isOf(block: FileBlock): boolean;
  /** What lies outside the file is left out, and what cannot be remembered comes again when it is asked for. */
  take(block: FileBlock): Promise<void>;
  missing(maxRanges: number): FileRange[];
  /** True when it is kept. */
  finish(): Promise<boolean>;
  discard(): Promise<void>;
}

/** `stored`: it came before, and the terminal did not hear so. */
export function openReception(
  { name, sizeBytes }: AnnouncedFile,
  file: OpenAttachment | 'stored',
  onLimit: OnLimit,
): FileReception {
  const ranges = new ReceivedRanges(sizeBytes, RANGES_LIMIT.max);
  // Terminals cut longer names in their blocks, wherever that is in a character.
  const blockName = decodeGbk(encodeGbk(name).subarray(0, MAX_BLOCK_NAME_BYTES));
  const isStored = file === 'stored';
  return {
    name,
    get isComplete() {
      return isStored || ranges.isComplete;
    },
    isOf: (block) => block.name === blockName || block.name === name,
    take: async ({ offset, data }) => {
      if (isStored || offset + data.byteLength > sizeBytes || data.byteLength === 0) return;
      if (!ranges.takes(offset, data.byteLength)) {
        onLimit(RANGES_LIMIT);
        return;
      }
      await file.write(offset, data);
      ranges.add(offset, data.byteLength);
    },
    missing: (maxRanges) => ranges.missing(maxRanges),
    finish: async () => isStored || (await file.finish()),
    discard: async () => {
      if (!isStored) await file.discard();
    },
  };
}
