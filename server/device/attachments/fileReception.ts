// One file as it comes, in blocks of any order, of which some are lost and some come twice.
import type { OnLimit } from '../../limits/limit.ts';
import { type FileBlock, MAX_BLOCK_NAME_BYTES } from '../jt808/codec/attachmentStream.ts';
import { decodeGbk, encodeEchoed } from '../jt808/codec/gbk.ts';
import type { FileRange } from '../jt808/codec/messages/attachments.ts';
import { RANGES_LIMIT } from './attachmentLimits.ts';
import type { AnnouncedFile, OpenAttachment } from './attachmentSink.ts';

export interface FileReception {
  readonly name: string;
  readonly isComplete: boolean;
  isOf(block: FileBlock): boolean;
  /**
   * What lies outside the file is left out, and what cannot be remembered comes again when it is asked for. False: there is no room
   * for it.
   */
  take(block: FileBlock): Promise<boolean>;
  missing(maxRanges: number): FileRange[];
  /** The terminal was asked for what is missing this often, and has sent nothing of it: it has no more. */
  isAllThereIs(): boolean;
  /** True when it is kept, whole or not. */
  finish(): Promise<boolean>;
  /** The connection is over, or another file comes. */
  setAside(): Promise<void>;
}

/** The number of questions for what is missing that may bring nothing. */
const MAX_VAIN_QUESTIONS = 3;

/** `stored`: it came before, and the terminal did not hear so. */
export function openReception(
  { name, sizeBytes }: AnnouncedFile,
  file: OpenAttachment | 'stored',
  onLimit: OnLimit,
): FileReception {
  const isStored = file === 'stored';
  const ranges = isStored ? undefined : file.received;
  let [vainQuestions, bytesBefore] = [0, -1];
  // Terminals cut longer names in their blocks, wherever that is in a character.
  const blockName = decodeGbk(encodeEchoed(name).subarray(0, MAX_BLOCK_NAME_BYTES));
  return {
    name,
    get isComplete() {
      return ranges === undefined || ranges.isComplete;
    },
    isOf: (block) => block.name === blockName || block.name === name,
    take: async ({ offset, data }) => {
      if (isStored || offset + data.byteLength > sizeBytes || data.byteLength === 0) return true;
      const { received } = file;
      if (!received.takes(offset, data.byteLength)) {
        onLimit(RANGES_LIMIT);
        return true;
      }
      if (!(await file.write(offset, data))) return false;
      received.add(offset, data.byteLength);
      return true;
    },
    missing: (maxRanges) => ranges?.missing(maxRanges) ?? [],
    isAllThereIs: () => {
      const bytes = ranges?.bytes ?? 0;
      vainQuestions = bytes === bytesBefore ? vainQuestions + 1 : 0;
      bytesBefore = bytes;
      return bytes > 0 && vainQuestions >= MAX_VAIN_QUESTIONS;
    },
    finish: async () => isStored || (await file.finish()),
    setAside: async () => {
      if (!isStored) await file.setAside();
    },
  };
}
