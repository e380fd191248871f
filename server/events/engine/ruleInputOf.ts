// What terminals report, as rules see it.
import { hasBit, StatusBit, VideoAlarmBit } from '../../device/jt808/codec/codes.ts';
import type { PositionDetails } from '../../device/jt808/codec/positionItems.ts';
import type { MessageReport, PositionReport, Report } from '../../device/reportFeed.ts';
import type { PositionInput, RuleInput } from '../rules/ruleInput.ts';

/** 0x0702. */
const CARD_INSERTED = 1;
const CARD_READ = 0;

/** Undefined for what no rule goes by. */
export function ruleInputOf(report: Report): RuleInput | undefined {
  switch (report.kind) {
    case 'position':
      return positionInputOf(report);
    case 'presence':
      return { kind: 'presence', atMs: report.atMs, isOnline: report.isOnline };
    case 'message':
      return messageInputOf(report.body, report.receivedAtMs);
    // The position that it was taken from says it too.
    case 'video-loss':
      return undefined;
  }
}

function messageInputOf(body: MessageReport['body'], atMs: number): RuleInput | undefined {
  switch (body.kind) {
    case 'driverIdentity': {
      const { status, readResult = CARD_READ } = body;
      return { kind: 'driver-card', atMs, isRead: status === CARD_INSERTED && readResult === CARD_READ };
    }
    case 'passengerFlow': {
      const { end: periodEndMs = atMs, boarded, alighted } = body;
      return { kind: 'passengers', atMs, periodEndMs, boarded, alighted };
    }
    case 'mediaEvent':
    case 'eventReport':
    case 'questionAnswer':
    case 'passthroughUp':
    case 'upgradeResult':
      return undefined;
  }
}

function positionInputOf({ position, details, isLive }: PositionReport): PositionInput {
  const { deviceTimeMs, receivedAtMs, latitude, longitude, speedKmh, statusBits } = position;
  const hasFix = hasBit(statusBits, StatusBit.Fixed);
  return {
    kind: 'position',
    atMs: isLive ? receivedAtMs : deviceTimeMs,
    deviceTimeMs,
    receivedAtMs,
    isLate: !isLive,
    hasFix,
    latitude,
    longitude,
    // Without a fix, the driving recorder still measures it.
    speedKmh: hasFix ? speedKmh : (details.recorderSpeedKmh ?? speedKmh),
    ignitionOn: hasBit(statusBits, StatusBit.AccOn),
    fuelLiters: details.fuelLitres,
    cabinCelsius: details.cabinCelsius,
    videoLostBits: details.videoLostBits ?? unlessAlarm(details, VideoAlarmBit.SignalLost),
    storageFaultBits: details.storageFaultBits ?? unlessAlarm(details, VideoAlarmBit.StorageFault),
  };
}

/** A missing item says that nothing is wrong, unless item 0x14 says that something is, and just not where: see videoSignals.ts. */
function unlessAlarm({ videoAlarms = 0 }: PositionDetails, bit: VideoAlarmBit): number | undefined {
  return hasBit(videoAlarms, bit) ? undefined : 0;
}
