// Rules about who is notified of which events.
import type { FastifyInstance } from 'fastify';
import type { NotifyRuleDeps } from './notifyRuleDeps.ts';
import { registerNotifyPreviews } from './previewRoutes.ts';
import { registerNotifyRules } from './ruleRoutes.ts';

export async function registerNotifyRuleRoutes(app: FastifyInstance, deps: NotifyRuleDeps): Promise<void> {
  registerNotifyRules(app, deps);
  registerNotifyPreviews(app, deps);
}
