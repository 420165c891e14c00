export { ControlError } from "./core/control-error.ts";
export type { ChangeFeed, PlaceChange } from "./core/change-feed.ts";
export type { FaultAction, FaultMatch, FaultRequest } from "./core/fault-request.ts";
export type { ActiveFault, FaultHit, Faults } from "./core/faults.ts";
export type { RecordedCall, RecordedEvent, Violation } from "./core/recorder.ts";
export { startTelegramSimulator } from "./telegram/start-telegram-simulator.ts";
export type { TelegramSimulator, TelegramSimulatorOptions } from "./telegram/start-telegram-simulator.ts";
export type { SaidFile, SayRequest, SeenMessage, TelegramVerbs } from "./telegram/telegram-verbs.ts";
