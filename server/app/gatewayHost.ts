// Runs gateways in this process, one at a time: what only a closed gateway allows, such as exchanging its database, is done between
// two of them.
import type { Registry } from 'prom-client';
import { recoverRestore } from '../backup/restore/restoration.ts';
import { createBackupThreads } from '../backup/thread/backupThread.ts';
import type { Config } from '../config/variables.ts';
import { faultOf, type OnFault } from '../faults/onFault.ts';
import { createProxyTest } from '../http/kernel/clientAddress.ts';
import { createMetrics } from '../http/system/metrics.ts';
import { type RestoringServer, startRestoringServer } from '../http/system/restoring/restoringServer.ts';
import { loadTls } from '../http/tls/loadTls.ts';
import type { Log, ProcessLog } from '../process/log.ts';
import { type Gateway, type GatewayOptions, locateDatabase, startGateway } from './gateway.ts';
import { HostRestores } from './installation/hostRestores.ts';
import type { Exchange, RestartOutcome } from './installation/restart.ts';
import { RestartStandIn } from './standIn.ts';

export interface GatewayHostDeps {
  readonly start: (config: Config, options: GatewayOptions) => Promise<Gateway>;
  /** Answers at the gateway's place meanwhile. */
  readonly answerMeanwhile: (config: Config) => Promise<RestoringServer>;
  /** Each gateway registers its metrics again. */
  readonly createMetrics: () => Registry;
  readonly log: Log;
  /** Lines from before a restart are among them. */
  readonly recentLog?: ProcessLog['recent'] | undefined;
  /** No gateway runs any more, and none can be started. */
  readonly onLost: (error: Error) => void;
}

/** A host of real gateways. `metrics`: of the process, in those of each gateway. */
export function createGatewayHost(
  config: Config,
  {
    log,
    recentLog,
    metrics,
    onLost,
    backupThreads,
  }: Pick<GatewayHostDeps, 'log' | 'recentLog' | 'onLost'> &
    Pick<GatewayOptions, 'backupThreads'> & { readonly metrics: Registry },
): GatewayHost {
  const onFault = (error: Error): void => log.error({ err: error }, 'restoring');
  const restores = new HostRestores(config, {
    host: () => host,
    installation: { dataDir: config.dataDir, database: locateDatabase(config), onFault },
    threads: backupThreads ?? createBackupThreads(onFault, 'a closed gateway'),
    log,
    now: Date.now,
  });
  const host = new GatewayHost(config, {
    start: (current, options) => startRecovered(current, { ...options, restores, backupThreads }, onFault),
    // Errors thrown here become a rejection, too: certificates may be unreadable now.
    answerMeanwhile: async (current) =>
      startRestoringServer({
        ...current,
        tls: loadTls(current, Date.now()),
        isTrustedProxy: createProxyTest(current.trustedProxies),
        onLimit: () => undefined,
        onFault,
      }),
    createMetrics: () => createMetrics(metrics),
    log,
    recentLog,
    onLost,
  });
  return host;
}

/** What a crash has cut short of a restore comes to its end first: no gateway may work on half of each state. */
async function startRecovered(config: Config, options: GatewayOptions, onFault: OnFault): Promise<Gateway> {
  const { dataDir } = config;
  const state = await recoverRestore({ dataDir, database: locateDatabase(config), onFault });
  if (state === 'new') options.log.info('the gateway starts on what was restored from a backup');
  if (state === 'old') options.log.warn('a restore was cut short: the gateway starts on the state before it');
  return startGateway(config, options);
}

export class GatewayHost {
  readonly #deps: GatewayHostDeps;
  /** With the ports that the first gateway was given. */
  #config: Config;
  #gateway: Gateway | undefined;
  readonly #standIn: RestartStandIn;
  #restarting: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(config: Config, deps: GatewayHostDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#standIn = new RestartStandIn({ answer: async () => deps.answerMeanwhile(this.#config), log: deps.log });
  }

  /** Undefined while none runs. */
  get gateway(): Gateway | undefined {
    return this.#gateway;
  }

  async start(): Promise<Gateway> {
    const gateway = await this.#start();
    // Pages and terminals come back to where they were.
    this.#config = { ...this.#config, port: Number(new URL(gateway.address).port), jt808Port: gateway.jt808Port };
    return gateway;
  }

  /**
   * Closes the gateway, has `change` do its work, and starts it again. One at a time: whoever asks for a second one made a mistake.
   * What `change` throws leaves everything as it was, which is for `change` to see to.
   */
  restart(change: () => Promise<Exchange>): Promise<RestartOutcome> {
    if (this.#restarting !== undefined) throw new Error('the gateway is being restarted already');
    const restarting = this.#restartAnswered(change);
    this.#restarting = restarting;
    return restarting;
  }

  async #restartAnswered(change: () => Promise<Exchange>): Promise<RestartOutcome> {
    this.#standIn.begin();
    try {
      return await this.#restart(change);
    } finally {
      await this.#standIn.end();
      this.#restarting = undefined;
    }
  }

  /** Waits for a restart that has begun: nothing may be left half changed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#restarting?.catch(() => undefined);
    await this.#gateway?.close();
    this.#gateway = undefined;
  }

  async #restart(change: () => Promise<Exchange>): Promise<RestartOutcome> {
    const { log } = this.#deps;
    log.info('the gateway is closed for a change');
    const changed = await attempt(() => this.#changeClosed(change));
    if (!changed.ok) {
      await this.#startOrLose();
      return { kind: 'unchanged', error: changed.error };
    }
    // The next process starts on what was changed.
    if (this.#isClosed) return { kind: 'changed' };
    const started = await attempt(() => this.#start());
    if (started.ok) return { kind: 'changed' };
    log.error({ err: started.error }, 'no gateway starts on what was changed');
    return this.#undo(changed.value, started.error);
  }

  /** Rejects only where nothing was changed. */
  async #changeClosed(change: () => Promise<Exchange>): Promise<Exchange> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    await gateway?.close();
    // The gateway has had it taken as soon as it no longer listened; where it could not, this is another try.
    await this.#standIn.take();
    return change();
  }

  async #undo(exchange: Exchange, error: Error): Promise<RestartOutcome> {
    const undone = await attempt(() => exchange.undo());
    if (!undone.ok) this.#deps.log.error({ err: undone.error }, 'what was changed could not be undone');
    await this.#startOrLose();
    return { kind: 'unchanged', error };
  }

  async #startOrLose(): Promise<void> {
    if (this.#isClosed) return;
    const started = await attempt(() => this.#start());
    if (!started.ok) this.#deps.onLost(faultOf('no gateway could be started again', started.error));
  }

  async #start(): Promise<Gateway> {
    const { start, createMetrics, log, recentLog, onLost } = this.#deps;
    const options = { log, recentLog, metrics: createMetrics(), onLost, standIn: this.#standIn };
    this.#gateway = await start(this.#config, options);
    return this.#gateway;
  }
}

type Attempt<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: Error };

/** What `work` throws before its first wait counts too. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error : faultOf('a part failed', error) };
  }
}
