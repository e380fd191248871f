// What carries notifications, put together for a gateway that runs.
import { hostname } from 'node:os';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { followRecords } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import type { Transports } from '../../notify/outgoing.ts';
import { createGuard } from '../../notify/senders/guard/guard.ts';
import { SMTP_TIMES, TOTAL_MS } from '../../notify/senders/outbound.ts';
import { PushBrowsers } from '../../notify/senders/push/pushBrowsers.ts';
import { loadOrMakeVapidKeys, type VapidKeys } from '../../notify/senders/push/vapidKeys.ts';
import { SenderDirectory } from '../../notify/senders/senderDirectory.ts';
import { createTransports } from '../../notify/senders/transports.ts';
import type { Stores } from '../../store/stores.ts';
import { type Context, toolsOf } from '../context.ts';

export interface Senders {
  readonly directory: SenderDirectory;
  readonly pushBrowsers: PushBrowsers;
  readonly transports: Transports;
  /** What calls need of it. */
  readonly forCalls: { readonly transports: Transports; readonly pushBrowsers: PushBrowsers };
}

export type SendersContext = Pick<Context, 'bus' | 'secretBox' | 'log' | 'onLimit'> & {
  readonly config: Pick<Config, 'publicUrl' | 'notifyNetworks'>;
  readonly stores: Pick<Stores, 'notifySenders' | 'pushSubscriptions' | 'settings'>;
};

export function createSenders(context: SendersContext, now: () => WallMs): Senders {
  const { config, stores, bus, secretBox: box, onLimit } = context;
  const { onFault } = toolsOf(context, 'senders');
  const guard = createGuard(config.notifyNetworks);
  const directory = new SenderDirectory({ store: stores.notifySenders, box, now });
  followRecords(bus, 'senders', ['sender'], () => directory.forget());
  const vapidKeys = remembered(() => loadOrMakeVapidKeys({ settings: stores.settings, box }));
  const pushBrowsers = new PushBrowsers({ store: stores.pushSubscriptions, box, guard, directory, vapidKeys, now });
  const transports = createTransports({
    guard,
    onFault,
    onLimit,
    totalMs: TOTAL_MS,
    smtpTimes: SMTP_TIMES,
    publicUrl: config.publicUrl,
    hostName: hostname(),
    browsers: pushBrowsers,
    vapidKeys,
    now,
  });
  return { directory, pushBrowsers, transports, forCalls: { transports, pushBrowsers } };
}

/** Asked for once, unless it fails. */
function remembered(load: () => Promise<VapidKeys>): () => Promise<VapidKeys> {
  let known: Promise<VapidKeys> | undefined;
  return () => {
    known ??= load();
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
}
