// Calls of `t` whose key is a variable: which values it can have, and in which namespace.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_ACTIONS, AUDIT_FIELDS, AUDIT_VALUE_KEYS } from '../../../shared/protocol/api/auditWords.ts';
import { BUILT_IN_REASONS } from '../../../shared/protocol/events/builtInReasons.ts';
import { BUILT_IN_TYPES } from '../../../shared/protocol/events/builtInTypes.ts';
import { EVENT_WORDS } from '../../../shared/protocol/events/eventNames.ts';
import { EVENT_SHEET_TEXTS } from '../../../shared/protocol/events/eventSheetTexts.ts';
import { FIELD_CODES } from '../../../shared/protocol/fieldCodes.ts';
import { HEALTH_TEXTS } from '../../../shared/protocol/health/healthTexts.ts';
import { MENU_PAGES, OWN_PAGE } from '../../../shared/protocol/menuPages.ts';
import { NETFLOW_SHEET_TEXTS } from '../../../shared/protocol/netflow/netflowSheetTexts.ts';
import { NETFLOW_KIND_NAMES, PLAN_ACTION_NAMES } from '../../../shared/protocol/netflow/netflowTexts.ts';
import { NOTIFY_WORDS } from '../../../shared/protocol/notify/notifyNames.ts';
import { REPORT_TEXTS } from '../../../shared/protocol/reports/reportTexts.ts';
import { SYNC_TEXTS } from '../../../shared/protocol/sync/syncTexts.ts';
import { TRACK_SHEET_TEXTS } from '../../../shared/protocol/tracks/trackSheetTexts.ts';
import { filesIn, repository } from '../sourceFiles.ts';

export interface ComputedKeys {
  readonly namespace: string;
  /** Texts are their own English; the English of codes is written by hand. */
  readonly kind: 'texts' | 'codes';
  readonly keys: () => readonly string[];
}

const errors: ComputedKeys = { namespace: 'Errors', kind: 'codes', keys: serverCodes };
const menu: ComputedKeys = { namespace: 'Menu', kind: 'texts', keys: () => MENU_PAGES.map((page) => page.name) };

/** By the file that makes the call. */
export const COMPUTED_KEYS: Readonly<Record<string, ComputedKeys>> = {
  'pages/shell/HomeTiles.tsx': menu,
  'pages/shell/MenuList.tsx': menu,
  'pages/shell/PageFrame.tsx': {
    namespace: 'Menu',
    kind: 'texts',
    keys: () => [...MENU_PAGES, OWN_PAGE].map((page) => page.name),
  },
  'pages/innerpage/membership/roles/permissionNames.ts': menu,
  'shared/i18n/healthText.ts': { namespace: 'HealthWords', kind: 'texts', keys: () => [...new Set(HEALTH_TEXTS)] },
  'shared/i18n/syncText.ts': { namespace: 'SyncWords', kind: 'texts', keys: () => [...new Set(SYNC_TEXTS)] },
  'shared/i18n/netflowText.ts': {
    namespace: 'NetflowWords',
    kind: 'texts',
    keys: () => [...Object.values(NETFLOW_KIND_NAMES), ...Object.values(PLAN_ACTION_NAMES)],
  },
  'pages/shell/MenuFooter.tsx': {
    namespace: 'Shell',
    kind: 'texts',
    keys: () => ['Retention (days)', 'Record expiry', 'Server version', 'Max licenses', 'License expiry'],
  },
  'shared/player/tile/TileOverlay.tsx': errors,
  'shared/player/tools/LineNotice.tsx': errors,
  'shared/i18n/errorText.ts': errors,
  'shared/i18n/auditActionText.ts': {
    namespace: 'AuditWords',
    kind: 'codes',
    keys: () => AUDIT_ACTIONS,
  },
  'pages/innerpage/membership/audit/fieldWords.ts': {
    namespace: 'AuditWords',
    kind: 'codes',
    keys: () => AUDIT_VALUE_KEYS,
  },
  'shared/i18n/auditFieldText.ts': {
    namespace: 'AuditWords',
    kind: 'codes',
    keys: () => AUDIT_FIELDS,
  },
  'shared/i18n/eventReasonText.ts': {
    namespace: 'EventReasons',
    kind: 'texts',
    keys: () => Object.values(BUILT_IN_REASONS).map((reason) => reason.name),
  },
  'pages/shell/popUps/PopUpCard.tsx': {
    namespace: 'EventTypes',
    kind: 'texts',
    keys: () => Object.values(BUILT_IN_TYPES).map((type) => type.name),
  },
  'shared/i18n/eventTypeText.ts': {
    namespace: 'EventTypes',
    kind: 'texts',
    keys: () => Object.values(BUILT_IN_TYPES).map((type) => type.name),
  },
  'shared/i18n/eventWordText.ts': { namespace: 'EventWords', kind: 'texts', keys: () => EVENT_WORDS },
  'shared/i18n/reportText.ts': { namespace: 'Report', kind: 'texts', keys: () => REPORT_TEXTS },
  'shared/i18n/notifyWordText.ts': { namespace: 'NotifyWords', kind: 'texts', keys: () => NOTIFY_WORDS },
  'shared/ui/form/text/fieldText.ts': { namespace: 'Fields', kind: 'codes', keys: () => FIELD_CODES },
};

/** What the gateway itself writes for people. */
export const GATEWAY_KEYS: readonly ComputedKeys[] = [
  { namespace: 'EventSheet', kind: 'texts', keys: () => EVENT_SHEET_TEXTS },
  { namespace: 'NetflowSheet', kind: 'texts', keys: () => NETFLOW_SHEET_TEXTS },
  { namespace: 'TrackSheet', kind: 'texts', keys: () => TRACK_SHEET_TEXTS },
  { namespace: 'Report', kind: 'texts', keys: () => REPORT_TEXTS },
];

/** The codes that the gateway answers with. */
function serverCodes(): string[] {
  const files = filesIn(repository, ['server'], /\.ts$/);
  const texts = files.map((file) => readFileSync(join(repository, file), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/\bcode: '([a-z]+(?:-[a-z]+)+|internal|forbidden|busy|conflict|restoring)'/g)].map(
      (match) => match[1] ?? '',
    ),
  );
}
