// What terminals report, as rules see it.
import type { MessageReport, Report } from '../../device/reportFeed.ts';
import { positionInputOf } from '../rules/positionInput.ts';
import type { RuleInput } from '../rules/ruleInput.ts';

/** Status in message 0x0702. */
const CARD_INSERTED = 1;
const CARD_READ = 0;

/** Undefined for reports that no rule uses. */
export function ruleInputOf(report: Report): RuleInput | undefined {
  switch (report.kind) {
    case 'position':
      return positionInputOf(report.position, report.details, !report.isLive);
    case 'presence':
      return { kind: 'presence', atMs: report.atMs, isOnline: report.isOnline };
    case 'message':
      return messageInputOf(report.body, report.receivedAtMs);
    // The position from which the report was made says it too.
    case 'video-loss':
    case 'attributes':
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
    case 'fileUploadDone':
      return undefined;
  }
}
