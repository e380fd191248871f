// The 32 alarm bits of a position, and the items 0x11 to 0x13 with details of some of them.
import { ALARM_TYPES } from '../../../shared/protocol/events/alarmTypes.ts';
import { knownValue } from '../../../shared/protocol/positions/knownValues.ts';
import { AlarmBit } from '../../device/jt808/codec/codes.ts';
import type { PositionDetails } from '../../device/jt808/codec/positionItems.ts';
import type { PositionReport } from '../../device/reportFeed.ts';
import { setBits } from './setBits.ts';
import { Origin, type Signal } from './signal.ts';

/** In items 0x11 and 0x12: 1 circle, 2 rectangle, 3 polygon, 4 route or a section of one. */
const ROUTE = 4;

type AlarmReport = Pick<PositionReport, 'edition' | 'position' | 'details'>;

/**
 * All are held: a terminal repeats a bit in each position until the condition is over or, with some bits, until the platform has
 * acknowledged it. The bit decides whether there is an alarm, and the item adds details: an item without its bit belongs to an alarm
 * that is masked out, or acknowledged already.
 */
export function alarmWordSignals(report: AlarmReport): Signal[] {
  const types = ALARM_TYPES[report.edition];
  return setBits(report.position.alarmBits).flatMap((bit) => {
    const type = types[bit];
    return type === undefined ? [] : [{ ...HELD, type, ...detailsOf(bit, report) }];
  });
}

const HELD = { unit: 0, area: 0, form: 'held', origin: Origin.AlarmWord } as const;

function detailsOf(bit: number, { position, details }: AlarmReport): Partial<Signal> {
  switch (bit) {
    case AlarmBit.Overspeed:
      return { ...speedOf(position), ...speedingArea(details) };
    case AlarmBit.OverspeedWarning:
      return speedOf(position);
    case AlarmBit.AreaCrossed:
      return crossing(details, false);
    case AlarmBit.RouteCrossed:
      return crossing(details, true);
    case AlarmBit.SectionTime:
      return sectionTime(details);
    default:
      return {};
  }
}

function speedOf({ speedKmh }: AlarmReport['position']): Partial<Signal> {
  return speedKmh === undefined ? {} : { value: speedKmh };
}

/** Speeding in an area with a limit of its own is another type; type 0 of the item stands for no particular place. */
function speedingArea({ overspeed }: PositionDetails): Partial<Signal> {
  if (overspeed?.areaId === undefined || overspeed.areaType < 1 || overspeed.areaType > ROUTE) return {};
  return { type: 'area-speeding', ...areaOf(overspeed.areaId) };
}

/** Value: 0 entered, 1 exited. */
function crossing({ areaCrossed }: PositionDetails, isRoute: boolean): Partial<Signal> {
  if (areaCrossed === undefined || (areaCrossed.areaType === ROUTE) !== isRoute) return {};
  return { ...areaOf(areaCrossed.areaId), value: areaCrossed.isLeaving ? 1 : 0 };
}

function sectionTime({ sectionTime: time }: PositionDetails): Partial<Signal> {
  if (time === undefined) return {};
  const value = knownValue('durationSeconds', time.seconds);
  return { ...areaOf(time.sectionId), ...(value === undefined ? {} : { value }) };
}

function areaOf(id: number): Partial<Signal> {
  const area = knownValue('areaId', id);
  return area === undefined ? {} : { area };
}
