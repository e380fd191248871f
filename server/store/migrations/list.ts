import { devices } from './0001_devices.ts';
import { accounts } from './0002_accounts.ts';
import { reports } from './0003_reports.ts';
import { trail } from './0004_trail.ts';
import { controls } from './0005_controls.ts';
import { recording } from './0006_recording.ts';
import { deviceGroups } from './0007_device_groups.ts';
import { membership } from './0008_membership.ts';
import { dashboard } from './0009_dashboard.ts';
import { linksAndAudit } from './0010_links_and_audit.ts';
import { tablesAtSpeed } from './0011_tables_at_speed.ts';
import { ordersAtSpeed } from './0012_orders_at_speed.ts';
import { incarnations } from './0013_incarnations.ts';
import { terminalCodes } from './0014_terminal_codes.ts';
import { knownBrowsers } from './0015_known_browsers.ts';
import { channelsFromZero } from './0016_channels_from_zero.ts';
import { deviceOrders } from './0017_device_orders.ts';
import { events } from './0018_events.ts';
import { eventMedia } from './0019_event_media.ts';
import { eventRules } from './0020_event_rules.ts';
import { alarmLimits } from './0021_alarm_limits.ts';
import { driverAnswers } from './0022_driver_answers.ts';
import { notifications } from './0023_notifications.ts';
import { tracks } from './0024_tracks.ts';
import { fences } from './0025_fences.ts';
import { reportJobs } from './0026_reports.ts';
import type { Migration } from './migration.ts';

/** Every step, oldest first; versions run from 1 without a gap. */
export const migrations: readonly Migration[] = [
  devices,
  accounts,
  reports,
  trail,
  controls,
  recording,
  deviceGroups,
  membership,
  dashboard,
  linksAndAudit,
  tablesAtSpeed,
  ordersAtSpeed,
  incarnations,
  terminalCodes,
  knownBrowsers,
  channelsFromZero,
  deviceOrders,
  events,
  eventMedia,
  eventRules,
  alarmLimits,
  driverAnswers,
  notifications,
  tracks,
  fences,
  reportJobs,
];
