// Numbers that JT/T 808 and JT/T 1078 put on the wire.

/** The 2011 edition has the header of 2013; only its registration differs. */
export type Edition = '2013' | '2019';

/** Message ids by the name that a decoded body carries as its `kind`. */
export const MessageId = {
  terminalGeneralReply: 0x0001,
  platformGeneralReply: 0x8001,
  heartbeat: 0x0002,
  logout: 0x0003,
  timeQuery: 0x0004,
  timeReply: 0x8004,
  terminalResendRequest: 0x0005,
  platformResendRequest: 0x8003,
  registration: 0x0100,
  registrationReply: 0x8100,
  authentication: 0x0102,
  setParameters: 0x8103,
  queryParameters: 0x8104,
  querySomeParameters: 0x8106,
  parametersReply: 0x0104,
  terminalControl: 0x8105,
  queryAttributes: 0x8107,
  attributesReply: 0x0107,
  upgradePackage: 0x8108,
  upgradeResult: 0x0108,
  position: 0x0200,
  queryPosition: 0x8201,
  positionReply: 0x0201,
  trackControl: 0x8202,
  confirmAlarm: 0x8203,
  linkCheck: 0x8204,
  text: 0x8300,
  eventSet: 0x8301,
  eventReport: 0x0301,
  question: 0x8302,
  questionAnswer: 0x0302,
  informationMenu: 0x8303,
  informationDemand: 0x0303,
  informationService: 0x8304,
  callBack: 0x8400,
  phoneBook: 0x8401,
  vehicleControl: 0x8500,
  vehicleControlReply: 0x0500,
  setCircles: 0x8600,
  deleteCircles: 0x8601,
  setRectangles: 0x8602,
  deleteRectangles: 0x8603,
  setPolygon: 0x8604,
  deletePolygons: 0x8605,
  setRoute: 0x8606,
  deleteRoutes: 0x8607,
  queryAreas: 0x8608,
  areasReply: 0x0608,
  recorderQuery: 0x8700,
  recorderData: 0x0700,
  recorderSettings: 0x8701,
  waybill: 0x0701,
  queryDriver: 0x8702,
  driverIdentity: 0x0702,
  bulkPositions: 0x0704,
  canData: 0x0705,
  mediaEvent: 0x0800,
  mediaUpload: 0x0801,
  mediaUploadReply: 0x8800,
  takePicture: 0x8801,
  takePictureReply: 0x0805,
  searchMedia: 0x8802,
  searchMediaReply: 0x0802,
  uploadStoredMedia: 0x8803,
  recordAudio: 0x8804,
  uploadOneMedia: 0x8805,
  passthroughDown: 0x8900,
  passthroughUp: 0x0900,
  compressedUp: 0x0901,
  platformRsaKey: 0x8a00,
  terminalRsaKey: 0x0a00,
  queryAvAttributes: 0x9003,
  avAttributes: 0x1003,
  passengerFlow: 0x1005,
  liveRequest: 0x9101,
  liveControl: 0x9102,
  liveStatus: 0x9105,
  queryResources: 0x9205,
  resources: 0x1205,
  playbackRequest: 0x9201,
  playbackControl: 0x9202,
  fileUpload: 0x9206,
  fileUploadDone: 0x1206,
  fileUploadControl: 0x9207,
  attachmentRequest: 0x9208,
  attachmentList: 0x1210,
  attachmentFile: 0x1211,
  attachmentFileDone: 0x1212,
  attachmentFileReply: 0x9212,
  ptzRotate: 0x9301,
  ptzFocus: 0x9302,
  ptzIris: 0x9303,
  ptzWiper: 0x9304,
  ptzInfrared: 0x9305,
  ptzZoom: 0x9306,
  /** A vendor's way to ask for the time; not in the standard. */
  vendorTimeQuery: 0x0109,
  vendorTimeReply: 0x8109,
} as const;
export type MessageKind = keyof typeof MessageId;
export type MessageId = (typeof MessageId)[MessageKind];

/** Result of 0x0001 and 0x8001. */
export const GeneralResult = { Ok: 0, Failed: 1, BadMessage: 2, NotSupported: 3, AlarmProcessed: 4 } as const;
export type GeneralResult = (typeof GeneralResult)[keyof typeof GeneralResult];

/** Result of 0x8100. */
export const RegistrationResult = {
  Ok: 0,
  VehicleRegistered: 1,
  NoSuchVehicle: 2,
  TerminalRegistered: 3,
  NoSuchTerminal: 4,
} as const;
export type RegistrationResult = (typeof RegistrationResult)[keyof typeof RegistrationResult];

/** Bit numbers of the alarm word of 0x0200, named after the 2019 edition where the editions differ. */
export const AlarmBit = {
  Emergency: 0,
  Overspeed: 1,
  Fatigue: 2,
  /** 2013: a warning of danger, cleared by the acknowledgement. */
  DangerousDriving: 3,
  GnssModuleFault: 4,
  GnssAntennaOpen: 5,
  GnssAntennaShort: 6,
  MainPowerLow: 7,
  MainPowerOff: 8,
  DisplayFault: 9,
  TtsFault: 10,
  CameraFault: 11,
  CardReaderFault: 12,
  OverspeedWarning: 13,
  FatigueWarning: 14,
  /** 15 to 17: 2019 only. */
  IllegalDriving: 15,
  TyrePressure: 16,
  RightTurnBlindZone: 17,
  DailyDrivingTime: 18,
  ParkingTime: 19,
  AreaCrossed: 20,
  RouteCrossed: 21,
  SectionTime: 22,
  RouteDeviation: 23,
  SpeedSensorFault: 24,
  FuelAbnormal: 25,
  Stolen: 26,
  IllegalIgnition: 27,
  IllegalMove: 28,
  Collision: 29,
  RolloverWarning: 30,
  /** 2013 only. */
  IllegalDoorOpening: 31,
} as const;
export type AlarmBit = (typeof AlarmBit)[keyof typeof AlarmBit];

const CLEARED_BY_ACKNOWLEDGEMENT = {
  '2013': [0, 3, 20, 21, 22, 27, 28, 31],
  '2019': [0, 20, 21, 22, 27, 28],
} as const satisfies Record<Edition, readonly AlarmBit[]>;

/** Alarms that a terminal keeps up until the platform acknowledges them, as a mask of the alarm word. */
export function acknowledgedAlarms(edition: Edition): number {
  const bits: readonly number[] = CLEARED_BY_ACKNOWLEDGEMENT[edition];
  return bits.reduce((mask, bit) => (mask | (1 << bit)) >>> 0, 0);
}

/** Bit numbers of item 0x14 and of parameter 0x007A. */
export const VideoAlarmBit = {
  SignalLost: 0,
  Covered: 1,
  StorageFault: 2,
  OtherVideoFault: 3,
  Overload: 4,
  AbnormalDriving: 5,
  /** Cleared by the acknowledgement; the others are held. */
  SpecialRecordingFull: 6,
} as const;
export type VideoAlarmBit = (typeof VideoAlarmBit)[keyof typeof VideoAlarmBit];

/** Flag of an active-safety alarm (T/JSATL 12). */
export const SafetyAlarmFlag = { Momentary: 0, Begin: 1, End: 2 } as const;
export type SafetyAlarmFlag = (typeof SafetyAlarmFlag)[keyof typeof SafetyAlarmFlag];

/** Types of item 0x64, driver assistance. 0x09 to 0x0F and from 0x12 on a vendor's own. */
export const AdasType = {
  ForwardCollision: 0x01,
  LaneDeparture: 0x02,
  FollowingTooClose: 0x03,
  Pedestrian: 0x04,
  FrequentLaneChanges: 0x05,
  RoadSignExceeded: 0x06,
  Obstacle: 0x07,
  FunctionFailed: 0x08,
  /** From here on events, not alarms. */
  RoadSignRecognized: 0x10,
  Snapshot: 0x11,
} as const;
export type AdasType = (typeof AdasType)[keyof typeof AdasType];

/** Side of a lane departure. */
export const LaneSide = { Left: 1, Right: 2 } as const;
export type LaneSide = (typeof LaneSide)[keyof typeof LaneSide];

/** Road sign of AdasType.RoadSignExceeded and RoadSignRecognized. */
export const RoadSignType = { SpeedLimit: 1, HeightLimit: 2, WeightLimit: 3 } as const;
export type RoadSignType = (typeof RoadSignType)[keyof typeof RoadSignType];

/** Types of item 0x65, driver monitoring. 0x08 to 0x0F and from 0x12 on a vendor's own. */
export const DriverMonitoringType = {
  Fatigue: 0x01,
  PhoneUse: 0x02,
  Smoking: 0x03,
  Distraction: 0x04,
  DriverNotDetected: 0x05,
  HandsOffWheel: 0x06,
  FunctionFailed: 0x07,
  /** From here on events, not alarms. */
  Snapshot: 0x10,
  DriverChanged: 0x11,
} as const;
export type DriverMonitoringType = (typeof DriverMonitoringType)[keyof typeof DriverMonitoringType];

/** Bit numbers of a tyre's alarms in item 0x66. From 8 on a vendor's own. */
export const TyreAlarmBit = {
  /** No alarm: a reading that is due. */
  PeriodicReport: 0,
  PressureHigh: 1,
  PressureLow: 2,
  TemperatureHigh: 3,
  SensorFault: 4,
  PressureImbalance: 5,
  SlowLeak: 6,
  BatteryLow: 7,
} as const;
export type TyreAlarmBit = (typeof TyreAlarmBit)[keyof typeof TyreAlarmBit];

/** Types of item 0x67, something approaches in the blind spot. */
export const BlindSpotType = { Rear: 1, LeftRear: 2, RightRear: 3 } as const;
export type BlindSpotType = (typeof BlindSpotType)[keyof typeof BlindSpotType];

/** Types of item 0x70, driving style. */
export const DrivingStyleType = {
  HarshAcceleration: 1,
  HarshBraking: 2,
  HarshCornering: 3,
  Idling: 4,
  EngineStall: 5,
  NeutralCoasting: 6,
  EngineOverspeed: 7,
} as const;
export type DrivingStyleType = (typeof DrivingStyleType)[keyof typeof DrivingStyleType];

/** Bit numbers of the vehicle state in active-safety alarms. */
export const VehicleStateBit = {
  AccOn: 0,
  LeftTurnSignal: 1,
  RightTurnSignal: 2,
  Wipers: 3,
  Brake: 4,
  DriverCard: 5,
  Fixed: 10,
} as const;
export type VehicleStateBit = (typeof VehicleStateBit)[keyof typeof VehicleStateBit];

/** Bit numbers of the status word of 0x0200. */
export const StatusBit = {
  AccOn: 0,
  Fixed: 1,
  South: 2,
  West: 3,
  OutOfService: 4,
  CoordinatesEncrypted: 5,
  ForwardCollisionWarning: 6,
  LaneDeparture: 7,
  /** Two bits: 0 empty, 1 half, 3 full. */
  Load: 8,
  FuelCut: 10,
  CircuitCut: 11,
  DoorsLocked: 12,
  FrontDoorOpen: 13,
  MiddleDoorOpen: 14,
  RearDoorOpen: 15,
  DriverDoorOpen: 16,
  CustomDoorOpen: 17,
  Gps: 18,
  BeiDou: 19,
  Glonass: 20,
  Galileo: 21,
  Moving: 22,
} as const;
export type StatusBit = (typeof StatusBit)[keyof typeof StatusBit];

/** Whether bit `bit` of a 32-bit word is set. */
export function hasBit(word: number, bit: number): boolean {
  return ((word >>> bit) & 1) === 1;
}
