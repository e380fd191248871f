import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  EVENT_RULE_PREVIEW_PATH,
  RulePreview,
  RulePreviewRequest,
} from '../../../../shared/protocol/api/eventConfig.ts';
import { configuredType, refusalOfSettings } from '../../../events/acts/rules.ts';
import { tidySettings } from '../../../events/config/ruleChecks.ts';
import { RuleIndex, type RulePlace, valuesAt, withSettings } from '../../../events/config/ruleLayers.ts';
import { placeOfDevice, seenDevice } from '../../../events/config/ruleScope.ts';
import { isPreviewed } from '../../../events/preview/rulePreviews.ts';
import type { EventRuleScope } from '../../../store/events/rules/eventRules.ts';
import { answers } from '../../kernel/answers.ts';
import { ok, Refused, refuse, refusedFields } from '../../kernel/envelope.ts';
import { contentRefusal } from '../../kernel/records/recordRoutes.ts';
import { NO_EVENT_TYPE } from '../eventDefineRefusals.ts';
import { type EventConfigDeps, MAY_CONFIGURE_EVENTS } from './eventConfigDeps.ts';
import { NO_PREVIEW, TOO_MANY_PREVIEWS } from './eventConfigRefusals.ts';
import { scopeOfCall } from './ruleScope.ts';

/** Asks with a body, and changes nothing. */
const config = { ...MAY_CONFIGURE_EVENTS, changes: [] };

/** `POST /api/eventconfig/preview`. */
export function registerRulePreview(app: FastifyInstance, deps: EventConfigDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, rulePreviews } = deps;
  const schema = {
    summary: 'What settings would have raised in the last days',
    body: RulePreviewRequest,
    response: answers(RulePreview),
  };
  routes.post(EVENT_RULE_PREVIEW_PATH, { schema, config }, async (request, reply) => {
    const at = await scopeOfCall(deps, request, request.body);
    if ('status' in at) return refuse(reply, at);
    const device = await seenDevice(stores, at.reach, request.body.device);
    if (device === undefined) return refuse(reply, Refused.device);
    const place = await placeOfDevice(stores, device);
    if (!isWithin(place, at.scope)) return refuse(reply, refusedFields({ device: 'not-allowed' }));
    const type = await configuredType(stores, at, request.body.type);
    if (type === undefined) return refuse(reply, NO_EVENT_TYPE);
    const { code } = type;
    if (!isPreviewed(code)) return refuse(reply, NO_PREVIEW);
    const settings = tidySettings(request.body.settings);
    const refusal = await refusalOfSettings(stores, { type, at, settings });
    if (refusal !== undefined) return refuse(reply, contentRefusal(refusal, {}));
    const rules = await stores.eventRules.all();
    const { values } = valuesAt(withSettings(rules, { type: code, scope: at.scope, settings }), type, place);
    const { values: valuesNow } = valuesAt(new RuleIndex(rules), type, place);
    const preview = await rulePreviews.preview({ code, device, values, valuesNow });
    return preview === undefined ? refuse(reply, TOO_MANY_PREVIEWS) : ok(preview);
  });
}

/** Whether what is set in the scope applies to the device. */
function isWithin({ groups, deviceId }: RulePlace, scope: EventRuleScope): boolean {
  switch (scope.kind) {
    case 'installation':
      return true;
    case 'group':
      return groups.includes(scope.deviceGroup);
    case 'device':
      return deviceId === scope.deviceId;
  }
}
