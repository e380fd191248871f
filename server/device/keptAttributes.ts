// Keeps what terminals say of themselves, for whoever asks while they are away.
import { wallMs } from '../../shared/protocol/time.ts';
import type { Listener } from '../bus/topic.ts';
import type { TerminalAttributeStore } from '../store/devices/terminalAttributes.ts';
import type { Report } from './reportFeed.ts';

/** For the feed of reports. */
export function keepAttributes(store: Pick<TerminalAttributeStore, 'keep'>): Listener<Report> {
  return (report) => {
    if (report.kind !== 'attributes') return undefined;
    const { manufacturer, model, terminalId, iccid, hardwareVersion, firmwareVersion } = report.attributes;
    return store.keep(report.device.incarnation, {
      manufacturer,
      model,
      terminalId,
      iccid: iccidOf(iccid),
      hardwareVersion,
      firmwareVersion,
      reportedAtMs: wallMs(report.receivedAtMs),
    });
  };
}

/** Nineteen digits are padded with an F behind them; a terminal without a SIM sends zeros, or the digits of erased memory. */
export function iccidOf(digits: string): string {
  const trimmed = digits.toLowerCase().replace(/f+$/, '');
  return /^0*$/.test(trimmed) ? '' : trimmed;
}
