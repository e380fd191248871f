import { Counter, Gauge, type Registry } from 'prom-client';
import { SEVERITIES } from '../../shared/protocol/events/eventWords.ts';
import type { EventEngine } from './engine/eventEngine.ts';
import type { RuleRunner } from './engine/ruleRunner.ts';
import type { EventRetention } from './eventRetention.ts';

/** Adds the events to the figures of the gateway. */
export function registerEventMetrics(
  registry: Registry,
  engine: EventEngine,
  retention: Pick<EventRetention, 'deletedEvents'>,
): void {
  const registers = [registry];
  new Counter({
    name: 'fleetglass_events_total',
    help: 'Events that began since the start',
    labelNames: ['severity'],
    registers,
    collect() {
      this.reset();
      for (const severity of SEVERITIES) this.inc({ severity }, engine.begunCount(severity));
    },
  });
  new Counter({
    name: 'fleetglass_events_deleted_total',
    help: 'Events deleted by age or with their device',
    registers,
    collect() {
      this.reset();
      this.inc(retention.deletedEvents);
    },
  });
  new Gauge({
    name: 'fleetglass_events_waiting',
    help: 'Events that the database does not have yet',
    registers,
    collect() {
      this.set(engine.waitingCount);
    },
  });
}

/** Adds the rules to the figures of the gateway. */
export function registerRuleMetrics(
  registry: Registry,
  rules: Pick<RuleRunner, 'evaluatedCount' | 'deviceCount' | 'stateCount'>,
): void {
  const registers = [registry];
  new Counter({
    name: 'fleetglass_rules_evaluated_total',
    help: 'Reports and ticks that the rules of devices were given',
    registers,
    collect() {
      this.reset();
      this.inc(rules.evaluatedCount);
    },
  });
  new Gauge({
    name: 'fleetglass_rules_devices',
    help: 'Devices with rules that are on and that something was heard of',
    registers,
    collect() {
      this.set(rules.deviceCount);
    },
  });
  new Gauge({
    name: 'fleetglass_rules_states',
    help: 'Rules of all these devices together',
    registers,
    collect() {
      this.set(rules.stateCount);
    },
  });
}
