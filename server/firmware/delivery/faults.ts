// What went wrong with a delivery, and whether trying again may help.

import { GeneralResult } from '../../device/jt808/codec/codes.ts';
import type { PackagesFailure } from '../../device/jt808/packages/longMessage.ts';
import { type CommandFailure, commandFault } from '../../device/terminalSession.ts';
import type { DeliveryOutcome } from './delivery.ts';

export type DeliveryFailure = Extract<DeliveryOutcome, { readonly ok: false }>;

export const ABORTED: DeliveryFailure = { ok: false, fault: 'aborted', isPassing: true, detail: '' };

export function passing(fault: DeliveryFailure['fault'], detail: string): DeliveryFailure {
  return { ok: false, fault, isPassing: true, detail };
}

export function lasting(fault: DeliveryFailure['fault'], detail: string): DeliveryFailure {
  return { ok: false, fault, isPassing: false, detail };
}

export function ofCommand(failure: CommandFailure): DeliveryFailure {
  if (failure.reason === 'refused') return ofResult(failure.result);
  return passing(commandFault(failure) === 'offline' ? 'disconnected' : 'no-answer', '');
}

export function ofPackages(failure: PackagesFailure): DeliveryFailure {
  switch (failure.reason) {
    case 'timeout':
      return passing('no-answer', 'packages were sent three times');
    case 'closed':
      return passing('disconnected', '');
    case 'aborted':
      return ABORTED;
    case 'busy':
      return passing('internal', 'another message in packages is on its way');
    case 'refused':
      return ofResult(failure.result);
    case 'too-many-repeats':
      return lasting('protocol-error', 'the terminal asks for packages again and again');
    case 'too-long':
      return lasting('protocol-error', 'more than 65,535 packages');
    case 'source-short':
      return lasting('image-damaged', 'the file is shorter than the image');
    case 'source-failed':
      return passing('internal', 'the file could not be read');
  }
}

function ofResult(result: number): DeliveryFailure {
  switch (result) {
    case GeneralResult.NotSupported:
      return lasting('not-supported', '');
    case GeneralResult.BadMessage:
      return lasting('protocol-error', 'the terminal calls the message bad');
    default:
      return lasting('refused', `result ${result}`);
  }
}
