import { Counter, type Registry } from 'prom-client';
import { MEDIA_LOSS_KINDS } from '../../shared/protocol/api/connectionTest.ts';
import type { MediaLoss } from './mediaLoss.ts';

/** Adds what is lost of media to the gateway's metrics. */
export function registerMediaMetrics(registry: Registry, loss: MediaLoss): void {
  new Counter({
    name: 'fleetglass_media_loss_total',
    help: 'Media of terminals that was lost, ignored or left out, by kind',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const kind of MEDIA_LOSS_KINDS) this.inc({ kind }, loss.totals[kind]);
    },
  });
}
