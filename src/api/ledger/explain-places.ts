import type { Language } from '#src/domain/language/language.ts';
import type { Reach } from '#src/domain/reach.ts';
import type { RouteRules } from '#src/domain/routing.ts';
import type { Task } from '#src/domain/task.ts';
import { type Explanation, explainDelivery } from '#src/domain/trace/explain-delivery.ts';
import { explainNoVendor } from '#src/domain/trace/explain-not-targeted.ts';
import { readPlaceEvents } from '#src/domain/trace/trace-events.ts';
import type { TrippedBreaker } from '#src/domain/vendor-account/breaker.ts';
import type { DevicePlace, TracedDevice } from '#src/storage/ledger/trace.ts';
import { translateAdvice } from '#src/vendors/translate-advice.ts';

/** Everything besides the places that determines why a notification reached a device or not. */
export interface DeliveryFacts {
  readonly task: Task;
  readonly cancelled: boolean;
  readonly device: TracedDevice;
  /** Time until which the inbox of the device has the notification, or null. */
  readonly inboxUntil: Date | null;
  readonly breakers: readonly TrippedBreaker[];
  readonly rules: RouteRules;
  readonly language: Language;
}

/** Explains the delivery of a task to a device that has places in it. */
export function explainPlaces(places: readonly DevicePlace[], facts: DeliveryFacts): Explanation {
  const { task, cancelled, device, inboxUntil, breakers, rules, language } = facts;
  const trace = {
    places: places.map((place) => ({
      ...place,
      events: readPlaceEvents(place.history, place.index),
      loggedOut: place.generation !== device.generation,
    })),
    cancelled,
    notAfter: task.notAfter,
    inboxUntil,
    breakers: breakers.map((breaker) => ({
      ...breaker,
      reason: translateAdvice(breaker.channel, breaker.reason, language),
    })),
    phone: {
      isOnline: device.gateway !== null,
      reach: device.reach,
      seenOn: device.seenOn,
      isLoggedIn: device.userId !== null,
      registeredAt: device.registeredAt,
      reported: device.reportedState,
    },
    noVendorReason: explainNoVendor(rules, { ...device, online: device.gateway !== null }, language),
  };
  return explainDelivery(trace, language);
}

/** Returns the routing rules of a task, with the credentials that exist now. */
export const routeRulesOf = ({ strategy, ospushSequence, message }: Task, credentialReach: Reach): RouteRules => ({
  strategy,
  ospushSequence,
  messageType: message.type,
  credentialReach,
});
