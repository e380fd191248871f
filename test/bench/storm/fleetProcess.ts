// One process of terminals that report, are all cut at once, and come back.
import { wallMs } from '../../../shared/protocol/time.ts';
import { positionReport } from '../../../simulator/positionReport.ts';
import { stateAt } from '../../../simulator/script/scriptState.ts';
import { drivenAt } from '../fences/driving.ts';
import { profileOf, runAtRate } from '../terminals/fleet.ts';
import type { FromStorm, StormOrder, ToStorm } from './messages.ts';
import { StormTerminal } from './stormTerminal.ts';

const order = JSON.parse(process.argv[2] ?? '') as StormOrder;
const tell = (message: FromStorm): void => void process.send?.(message);
/** A prime: the terminals report in another order than that in which they come back, so that the storm has positions between its sign-ins. */
const ORDER_STRIDE = 7_919;
const DRIVING = stateAt([], 0, { edition: '2019' });

const firstSignInsMs: number[] = [];
const signInsMs: number[] = [];
const receiptsMs: number[] = [];
let cutAtMs = 0;
let isAwaited = true;
let stopReports = (): void => undefined;

const { first, count, dialsPerSecond, port } = order;
const numbers = Array.from({ length: count }, (_, index) => first + index);
const terminals = numbers.map(
  (number) =>
    new StormTerminal(profileOf(number), {
      port,
      onSignedIn: noteSignIn,
      onReceipt: (tookMs) => void receiptsMs.push(tookMs),
      onRefused: (reason) => tell({ type: 'failed', reason }),
    }),
);

process.on('message', ({ type }: ToStorm) => {
  switch (type) {
    case 'report':
      stopReports = startReports();
      return;
    case 'cut':
      cutAll();
      return;
    case 'stop':
      stopReports();
      setTimeout(tellMeasured, 2_000);
  }
});
// The bench is gone: nobody wants these terminals any more.
process.on('disconnect', () => process.exit());
dialAll();

function dialAll(): void {
  let next = 0;
  const stop = runAtRate(dialsPerSecond, () => {
    const terminal = terminals[next++];
    if (terminal === undefined) stop();
    else if (!terminal.isOnline) terminal.dial();
  });
}

function cutAll(): void {
  cutAtMs = performance.now();
  isAwaited = true;
  for (const terminal of terminals) terminal.cut();
  dialAll();
}

function noteSignIn(tookMs: number): void {
  (cutAtMs === 0 ? firstSignInsMs : signInsMs).push(tookMs);
  if (!isAwaited || !terminals.every(({ isOnline }) => isOnline)) return;
  isAwaited = false;
  tell(cutAtMs === 0 ? { type: 'online' } : { type: 'back', afterMs: performance.now() - cutAtMs });
}

function startReports(): () => void {
  return runAtRate(count / order.positionSeconds, (turn) => {
    const index = (turn * ORDER_STRIDE) % count;
    const number = first + index;
    const atMs = Date.now();
    const at = { atMs, clock: wallMs(atMs), elapsedMs: 0, state: DRIVING };
    terminals[index]?.report({ ...positionReport(profileOf(number), at), ...drivenAt(number, atMs) });
  });
}

function tellMeasured(): void {
  const unanswered = terminals.reduce((sum, terminal) => sum + terminal.unanswered, 0);
  tell({ type: 'measured', firstSignInsMs, signInsMs, receiptsMs, unanswered });
}
