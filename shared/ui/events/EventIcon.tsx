// The drawing behind each icon name of event types.
import Driver from '@mui/icons-material/AirlineSeatReclineNormalOutlined';
import Lane from '@mui/icons-material/AltRouteOutlined';
import Fatigue from '@mui/icons-material/BedtimeOutlined';
import Collision from '@mui/icons-material/CarCrashOutlined';
import Vehicle from '@mui/icons-material/DirectionsCarOutlined';
import Pedestrian from '@mui/icons-material/DirectionsWalkOutlined';
import System from '@mui/icons-material/DnsOutlined';
import Fence from '@mui/icons-material/FenceOutlined';
import Flag from '@mui/icons-material/FlagOutlined';
import Passengers from '@mui/icons-material/GroupsOutlined';
import Ignition from '@mui/icons-material/KeyOutlined';
import Fuel from '@mui/icons-material/LocalGasStationOutlined';
import Parking from '@mui/icons-material/LocalParkingOutlined';
import Device from '@mui/icons-material/MemoryOutlined';
import Phone from '@mui/icons-material/PhoneInTalkOutlined';
import Power from '@mui/icons-material/PowerOutlined';
import Route from '@mui/icons-material/RouteOutlined';
import Gnss from '@mui/icons-material/SatelliteAltOutlined';
import Clock from '@mui/icons-material/ScheduleOutlined';
import Storage from '@mui/icons-material/SdStorageOutlined';
import Door from '@mui/icons-material/SensorDoorOutlined';
import Smoking from '@mui/icons-material/SmokingRoomsOutlined';
import Sos from '@mui/icons-material/SosOutlined';
import Speed from '@mui/icons-material/SpeedOutlined';
import Temperature from '@mui/icons-material/ThermostatOutlined';
import Tire from '@mui/icons-material/TireRepairOutlined';
import Camera from '@mui/icons-material/VideocamOutlined';
import Offline from '@mui/icons-material/WifiOffOutlined';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { ComponentType } from 'react';
import type { EventTypeName, EventIcon as IconName } from '../../protocol/api/eventTypes.ts';
import { severityAccent } from './severityColors.ts';

const ICONS: Readonly<Record<IconName, ComponentType<SvgIconProps>>> = {
  sos: Sos,
  collision: Collision,
  speed: Speed,
  driver: Driver,
  fatigue: Fatigue,
  phone: Phone,
  smoking: Smoking,
  lane: Lane,
  vehicle: Vehicle,
  pedestrian: Pedestrian,
  tire: Tire,
  camera: Camera,
  storage: Storage,
  power: Power,
  gnss: Gnss,
  fuel: Fuel,
  temperature: Temperature,
  ignition: Ignition,
  door: Door,
  parking: Parking,
  clock: Clock,
  offline: Offline,
  fence: Fence,
  route: Route,
  passengers: Passengers,
  device: Device,
  system: System,
  flag: Flag,
};

export interface EventIconProps {
  /** Undefined: a type that is not there, or not loaded yet. */
  readonly type: Pick<EventTypeName, 'icon' | 'color' | 'severity'> | undefined;
  readonly fontSize?: SvgIconProps['fontSize'];
}

/** Decoration: the type's name stands beside it. In the type's color, else in that of its severity. */
export function EventIcon({ type, fontSize = 'small' }: EventIconProps) {
  const Drawing = ICONS[type?.icon ?? 'flag'];
  return <Drawing aria-hidden="true" fontSize={fontSize} sx={{ flexShrink: 0, ...colorOf(type) }} />;
}

function colorOf(type: EventIconProps['type']) {
  if (type === undefined) return { color: 'text.secondary' };
  return type.color === '' ? severityAccent(type.severity, 'color') : { color: type.color };
}
