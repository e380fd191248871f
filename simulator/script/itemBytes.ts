// The additional items of a position, as a terminal sends what codec/positionItems.ts reads.
import type { PositionItem } from '../../server/device/jt808/codec/messages/position.ts';
import type { PositionDetails } from '../../server/device/jt808/codec/positionItems.ts';

/** The items that a script can set, in the order of their ids. */
export function positionItemsOf(details: PositionDetails): PositionItem[] {
  const { mileageKm, fuelLitres, cabinCelsius, overspeed, areaCrossed, sectionTime } = details;
  const { videoAlarms, videoLostBits, videoCoveredBits, storageFaultBits, abnormalDriving } = details;
  return [
    ...itemOf(0x01, mileageKm, (km) => u32(Math.round(km * 10))),
    ...itemOf(0x02, fuelLitres, (litres) => u16(Math.round(litres * 10))),
    ...itemOf(0x06, cabinCelsius, (celsius) => u16(celsius < 0 ? 0x8000 | -celsius : celsius)),
    ...itemOf(0x11, overspeed, ({ areaType, areaId }) => [areaType, ...(areaId === undefined ? [] : u32(areaId))]),
    ...itemOf(0x12, areaCrossed, ({ areaType, areaId, isLeaving }) => [areaType, ...u32(areaId), isLeaving ? 1 : 0]),
    ...itemOf(0x13, sectionTime, (time) => [...u32(time.sectionId), ...u16(time.seconds), time.isTooLong ? 1 : 0]),
    ...itemOf(0x14, videoAlarms, u32),
    ...itemOf(0x15, videoLostBits, u32),
    ...itemOf(0x16, videoCoveredBits, u32),
    ...itemOf(0x17, storageFaultBits, u16),
    ...itemOf(0x18, abnormalDriving, ({ types, fatigue = 0 }) => [...u16(types), fatigue]),
  ];
}

function itemOf<Content>(
  id: number,
  content: Content | undefined,
  bytesOf: (content: Content) => readonly number[],
): PositionItem[] {
  return content === undefined ? [] : [{ id, value: Uint8Array.from(bytesOf(content)) }];
}

function u16(value: number): number[] {
  return [value >>> 8, value & 0xff];
}

function u32(value: number): number[] {
  return [...u16(value >>> 16), ...u16(value & 0xffff)];
}
