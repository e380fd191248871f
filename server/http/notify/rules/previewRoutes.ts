// The choices of a rule's form, the explanation of whom an event notified, and what a rule would have sent. None of these calls changes
// anything.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import {
  DryRun,
  DryRunRequest,
  Explained,
  ExplainRequest,
  NOTIFY_CHOICES_PATH,
  NOTIFY_DRY_RUN_PATH,
  NOTIFY_EXPLAIN_PATH,
  NotifyChoices,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { refusalOfRule, tidyRule } from '../../../notify/acts/rules.ts';
import { explainRules } from '../../../notify/rules/explainRules.ts';
import type { NotifyFacts, ToldEvent } from '../../../notify/rules/notifyFacts.ts';
import { TOO_MANY_PREVIEWS } from '../../events/config/eventConfigRefusals.ts';
import { NO_EVENT } from '../../events/eventMediaRoutes.ts';
import { eventScopeOf } from '../../events/eventWorkDeps.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { contentRefusal } from '../../kernel/records/recordRoutes.ts';
import { MAY_CONFIGURE_NOTIFICATIONS, type NotifyRuleDeps } from './notifyRuleDeps.ts';

/** Asks with a body, and changes nothing. */
const config = { ...MAY_CONFIGURE_NOTIFICATIONS, changes: [] };
/** Maximum positions for one moment of a device: there is one, or the few that a terminal sent again. */
const POSITIONS_AT_ONCE = 10;

export function registerNotifyPreviews(app: FastifyInstance, deps: NotifyRuleDeps): void {
  registerChoices(app, deps);
  registerExplain(app, deps);
  registerDryRun(app, deps);
}

/** `GET /api/eventnotify/choices`. */
function registerChoices(app: FastifyInstance, { stores }: NotifyRuleDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'What a notification rule can name', response: answers(NotifyChoices) };
  routes.get(NOTIFY_CHOICES_PATH, { schema, config }, async (request) =>
    ok(await stores.notifyChoices.choices(scopeOf(callerOf(request)).memberGroup)),
  );
}

/** `POST /api/eventnotify/explain`. */
function registerExplain(app: FastifyInstance, deps: NotifyRuleDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'Which rules tell of an event, and whom',
    body: ExplainRequest,
    response: answers(Explained),
  };
  routes.post(NOTIFY_EXPLAIN_PATH, { schema, config }, async (request, reply) => {
    const scope = scopeOf(callerOf(request));
    const found = await deps.stores.eventList.find(request.body.event, eventScopeOf(scope));
    if (found === undefined) return refuse(reply, NO_EVENT);
    const { facts } = deps.notifySettings;
    const event = toToldEvent(found.event, facts);
    const heardAtMs = await heardAt(found.event, deps);
    const { memberGroup } = scope;
    const lastToldAtMs = await deps.stores.notifyTold.lastBefore({
      memberGroup,
      archiveNumber: event.device?.archiveNumber ?? 0,
      deviceId: found.event.deviceid,
      type: event.type,
      fromMs: event.beginAtMs - facts.rules.longestIntervalMs,
      toMs: event.beginAtMs,
      exceptEvent: found.event.id,
    });
    return ok(explainRules(event, facts, { memberGroup, heardAtMs, lastToldAtMs, isFailing: deps.isSenderFailing }));
  });
}

function toToldEvent({ deviceid, type, severity, beginAtMs, late }: EventRow, { devices }: NotifyFacts): ToldEvent {
  const known = [...devices.values()].find(({ deviceId }) => deviceId === deviceid);
  // Undefined for events of the gateway itself; a device that isn't known yet belongs to no rule.
  const device = deviceid === '' ? undefined : { archiveNumber: known?.archiveNumber ?? -1 };
  return { device, type, severity, beginAtMs, isLate: late };
}

/** Late events begin by the device's clock; the position that began them says when it arrived. */
async function heardAt(
  { late, deviceid, deviceTimeMs, beginAtMs }: EventRow,
  { stores }: NotifyRuleDeps,
): Promise<number> {
  if (!late) return beginAtMs;
  const moment = { fromMs: deviceTimeMs, toMs: deviceTimeMs + 1 };
  const positions = await stores.positions.between(deviceid, moment, POSITIONS_AT_ONCE);
  return Math.min(Number.POSITIVE_INFINITY, ...positions.map(({ receivedAtMs }) => receivedAtMs));
}

/** `POST /api/eventnotify/dryrun`. */
function registerDryRun(app: FastifyInstance, deps: NotifyRuleDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'What a rule would have sent in the last days',
    body: DryRunRequest,
    response: answers(DryRun),
  };
  routes.post(NOTIFY_DRY_RUN_PATH, { schema, config }, async (request, reply) => {
    const content = tidyRule(request.body.rule);
    const { memberGroup } = scopeOf(callerOf(request));
    const { notifyChoices: choices, eventTypes: types } = deps.stores;
    const refusal = await refusalOfRule(content, memberGroup, { choices, types });
    if (refusal !== undefined) return refuse(reply, contentRefusal(refusal, {}));
    const done = await deps.dryRuns.run({ content, memberGroup });
    return done === undefined ? refuse(reply, TOO_MANY_PREVIEWS) : ok(done);
  });
}
