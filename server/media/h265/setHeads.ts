// Numbers that tie H.265 pictures to their parameter sets (ITU-T H.265, 7.3.2 and 7.3.6.1). Total: undefined for damage.
import { BitReader } from '../../../shared/protocol/codec/video/bitReader.ts';
import { removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import type { NalUnit } from '../../../shared/protocol/codec/video/nalUnits.ts';
import type { SetHead } from '../parameterSets.ts';
import { HevcNalType, hevcTypeOf, isRandomAccess } from './nalTypes.ts';
import { skipProfileTierLevel } from './profileTierLevel.ts';

/** The longest head is a sequence set's: profiles and levels of seven sub-layers, with escapes. */
const HEAD_BYTES = 160;
const NAL_HEADER_BYTES = 2;
const MAX_PICTURE_SET_ID = 63;
const MAX_SEQUENCE_SET_ID = 15;

/** Undefined also for a unit that is no parameter set. */
export function readSetHead(unit: NalUnit): SetHead | undefined {
  const reader = readerOf(unit);
  switch (hevcTypeOf(unit)) {
    case HevcNalType.Vps:
      return checked(reader, { kind: 'video', id: reader.bits(4), refersTo: 0 });
    case HevcNalType.Sps:
      return checked(reader, readSequenceHead(reader));
    case HevcNalType.Pps:
      return checked(reader, { kind: 'picture', id: reader.unsigned(), refersTo: reader.unsigned() });
    default:
      return undefined;
  }
}

/** slice_pic_parameter_set_id. */
export function pictureSetIdOf(slice: NalUnit): number | undefined {
  const reader = readerOf(slice);
  reader.bit(); // first_slice_segment_in_pic_flag
  if (isRandomAccess(hevcTypeOf(slice))) reader.bit(); // no_output_of_prior_pics_flag
  const id = reader.unsigned();
  return reader.overrun ? undefined : id;
}

function readerOf({ bytes }: NalUnit): BitReader {
  return new BitReader(removeEscapes(bytes.subarray(NAL_HEADER_BYTES, HEAD_BYTES)));
}

function readSequenceHead(reader: BitReader): SetHead {
  const refersTo = reader.bits(4);
  const subLayers = reader.bits(3);
  reader.bit(); // sps_temporal_id_nesting_flag
  skipProfileTierLevel(reader, subLayers);
  return { kind: 'sequence', id: reader.unsigned(), refersTo };
}

function checked(reader: BitReader, head: SetHead): SetHead | undefined {
  const maxId = head.kind === 'picture' ? MAX_PICTURE_SET_ID : MAX_SEQUENCE_SET_ID;
  return reader.overrun || head.id > maxId || head.refersTo > MAX_SEQUENCE_SET_ID ? undefined : head;
}
