// The list of features: each registers its own calls. Another feature is a folder beside these and a line in the list.
import type { FastifyInstance } from 'fastify';
import { registerAccountRoutes } from './accounts/routes.ts';
import { registerAuditRoutes } from './audit/routes.ts';
import { registerBackupRoutes } from './backup/routes.ts';
import { registerDeviceRoutes } from './devices/routes.ts';
import { registerEventConfigRoutes } from './events/config/eventConfigRoutes.ts';
import { registerEventDefineRoutes } from './events/eventDefineRoutes.ts';
import { registerEventEvidenceRoutes } from './events/eventEvidenceRoutes.ts';
import { registerEventWorkRoutes } from './events/eventWorkRoutes.ts';
import { registerFenceRoutes } from './fences/fenceRoutes.ts';
import { registerFencePreview } from './fences/previewRoute.ts';
import { registerFirmwareImageRoutes } from './firmware/firmwareImageRoutes.ts';
import { registerFirmwareTaskRoutes } from './firmware/tasks/routes.ts';
import { registerFleetRoutes } from './fleet/routes.ts';
import { registerLinkRoutes } from './links/routes.ts';
import { registerNetflowRoutes } from './netflow/routes.ts';
import { registerNotifyMessageRoutes } from './notify/messages/messageRoutes.ts';
import { registerNotifyRuleRoutes } from './notify/rules/notifyRuleRoutes.ts';
import { registerSenderRoutes } from './notify/senders/routes.ts';
import { registerTemplateRoutes } from './notify/templates/templateRoutes.ts';
import { registerPageRoutes } from './pages/routes.ts';
import { registerRecordingRoutes } from './recordings/routes.ts';
import { registerReportRoutes } from './reports/routes.ts';
import { registerSyncRoutes } from './sync/syncRoutes.ts';
import { registerSystemRoutes } from './system/routes.ts';
import { registerTrackRoutes } from './tracks/routes.ts';
import { registerUploadRoutes } from './uploads/uploadRoutes.ts';

/** Registers all calls of one subject, with the access that each needs and the kinds of records that it changes. */
export type RegisterFeature<Deps> = (app: FastifyInstance, deps: Deps) => Promise<void>;

export const FEATURES = [
  registerSystemRoutes,
  registerAccountRoutes,
  registerDeviceRoutes,
  registerLinkRoutes,
  registerAuditRoutes,
  registerRecordingRoutes,
  registerFleetRoutes,
  registerFenceRoutes,
  registerEventDefineRoutes,
  registerEventWorkRoutes,
  registerEventConfigRoutes,
  registerEventEvidenceRoutes,
  registerFencePreview,
  registerNotifyRuleRoutes,
  registerNotifyMessageRoutes,
  registerSenderRoutes,
  registerTemplateRoutes,
  registerTrackRoutes,
  registerReportRoutes,
  registerFirmwareTaskRoutes,
  registerUploadRoutes,
  registerFirmwareImageRoutes,
  registerNetflowRoutes,
  registerSyncRoutes,
  registerBackupRoutes,
  registerPageRoutes,
] as const;

/** What all features need together; each declares its part beside its calls. */
export type FeatureDeps = DepsOfAll<(typeof FEATURES)[number]>;

/** The intersection, because a parameter that is inferred from several functions must suit each of them. */
type DepsOfAll<Register> = [Register] extends [RegisterFeature<infer Deps>] ? Deps : never;
