import { tracks } from './0024_tracks.ts';
import { fences } from './0025_fences.ts';
import { reportJobs } from './0026_reports.ts';
import { firmware } from './0027_firmware.ts';
import { netflow } from './0028_netflow.ts';
import { sync } from './0029_sync.ts';
import { netflowSums } from './0030_netflow_sums.ts';
import { syncReceived } from './0031_sync_received.ts';
import { gateways } from './0032_gateways.ts';
import { backups } from './0033_backups.ts';
import { arrivals } from './0034_arrivals.ts';
import { driverPermissions } from './0035_driver_permissions.ts';
import { heldMedia } from './0036_held_media.ts';
import { devices } from './earlier/0001_devices.ts';
import { accounts } from './earlier/0002_accounts.ts';
import { reports } from './earlier/0003_reports.ts';
import { trail } from './earlier/0004_trail.ts';
import { controls } from './earlier/0005_controls.ts';
import { recording } from './earlier/0006_recording.ts';
import { deviceGroups } from './earlier/0007_device_groups.ts';
import { membership } from './earlier/0008_membership.ts';
import { dashboard } from './earlier/0009_dashboard.ts';
import { linksAndAudit } from './earlier/0010_links_and_audit.ts';
import { tablesAtSpeed } from './earlier/0011_tables_at_speed.ts';
import { ordersAtSpeed } from './earlier/0012_orders_at_speed.ts';
import { incarnations } from './earlier/0013_incarnations.ts';
import { terminalCodes } from './earlier/0014_terminal_codes.ts';
import { knownBrowsers } from './earlier/0015_known_browsers.ts';
import { channelsFromZero } from './earlier/0016_channels_from_zero.ts';
import { deviceOrders } from './earlier/0017_device_orders.ts';
import { events } from './earlier/0018_events.ts';
import { eventMedia } from './earlier/0019_event_media.ts';
import { eventRules } from './earlier/0020_event_rules.ts';
import { alarmLimits } from './earlier/0021_alarm_limits.ts';
import { driverAnswers } from './earlier/0022_driver_answers.ts';
import { notifications } from './earlier/0023_notifications.ts';
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
  firmware,
  netflow,
  sync,
  netflowSums,
  syncReceived,
  gateways,
  backups,
  arrivals,
  driverPermissions,
  heldMedia,
];
