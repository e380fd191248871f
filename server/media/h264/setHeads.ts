// Numbers that tie H.264 pictures to their parameter sets (ITU-T H.264, 7.3.2 and 7.3.3). Total: undefined for damage.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { NalType, type NalUnit } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { MAX_PICTURE_SET_ID } from '../../../shared/protocol/codec/video/pps.ts';
import { MAX_SEQUENCE_SET_ID } from '../../../shared/protocol/codec/video/sps.ts';
import type { SetHead } from '../parameterSets.ts';

/** Three Exp-Golomb numbers of the sizes that occur, and room for escapes. */
const HEAD_BYTES = 32;
/** profile_idc, constraint flags and level_idc. */
const SEQUENCE_HEAD_BITS = 24;

/** Undefined also for a unit that is no parameter set. */
export function readSetHead(unit: NalUnit): SetHead | undefined {
  const reader = readerOf(unit);
  switch (unit.type) {
    case NalType.Sps:
      reader.skip(SEQUENCE_HEAD_BITS);
      return checked(reader, { kind: 'sequence', id: reader.unsigned(), refersTo: 0 });
    case NalType.Pps:
      return checked(reader, { kind: 'picture', id: reader.unsigned(), refersTo: reader.unsigned() });
    default:
      return undefined;
  }
}

/** pic_parameter_set_id of a slice, or of data partition A. */
export function pictureSetIdOf(slice: NalUnit): number | undefined {
  const reader = readerOf(slice);
  reader.unsigned(); // first_mb_in_slice
  reader.unsigned(); // slice_type
  const id = reader.unsigned();
  return reader.overrun ? undefined : id;
}

function readerOf({ bytes }: NalUnit): BitReader {
  return new BitReader(removeEscapes(bytes.subarray(1, HEAD_BYTES)));
}

function checked(reader: BitReader, head: SetHead): SetHead | undefined {
  const maxId = head.kind === 'picture' ? MAX_PICTURE_SET_ID : MAX_SEQUENCE_SET_ID;
  return reader.overrun || head.id > maxId || head.refersTo > MAX_SEQUENCE_SET_ID ? undefined : head;
}
