import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { providerByVendor } from '#src/domain/channel.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { startCarillon } from '../support/carillon.ts';
import { startVendorSimulators } from '../support/vendor-simulators.ts';
import { startControlServer } from './support/control-server.ts';
import { PhoneNetwork } from './support/phone-network.ts';
import { runMaven } from './support/run-maven.ts';

const form = process.env.CARILLON_ANDROID ?? '';
const skip = form === '' && 'set CARILLON_ANDROID=1 to run the Android SDK; it needs Java 17, Maven and its artifacts';

/** The build and the journeys take three minutes, the long form ten. In its first run, Maven downloads about 700 MB. */
const MINUTES_MAX = 45;
/** Runs only these tests of the core, such as `OutageJourneyTest`. */
const names = process.env.CARILLON_ANDROID_TESTS;

/** As in a run of all tests, a failed test is run once more, because a busy machine can make one miss a deadline. */
const RERUN = '-Dsurefire.rerunFailingTestsCount=1';

describe('the Android SDK against a real Carillon', { skip }, () => {
  test('is built and checked, and displays, reports and recovers in all journeys', {
    timeout: MINUTES_MAX * 60_000,
  }, async (t) => {
    await using vendors = await startVendorSimulators();
    await using carillon = await startCarillon({ settings: { ...vendors.settings } });
    const { certificate, control_url: fcmUrl } = vendors.factsOf('fcm');
    await carillon.post('/admin/certificate/save', { provider: providerByVendor.fcm, ...certificate, name: 'fcm' });
    await using api = await PhoneNetwork.start(portOf(carillon.apis[0], 'api'));
    await using gateway = await PhoneNetwork.start(portOf(carillon.gateways[0], 'gateway'));
    await using control = await startControlServer(carillon, { api, gateway });

    const environment = {
      CARILLON_URL: carillon.apis[0]?.apiUrl ?? '',
      CARILLON_APP_ID: carillon.appId,
      CARILLON_ADMIN_TOKEN: carillon.adminToken,
      CARILLON_PHONE_API_URL: `http://${api.address}`,
      CARILLON_PHONE_GATEWAY_URL: `mqtt://${gateway.address}`,
      CARILLON_FCM_URL: fcmUrl,
      CARILLON_CONTROL_URL: control.url,
    };
    const goals = names === undefined ? ['clean', 'verify'] : ['--projects', 'core', 'test', `-Dtest=${names}`];
    const { code, output, tail } = await runMaven([...goals, RERUN], environment, t.signal);
    assert.equal(code, 0, `${tail}\n${carillon.warningLines.slice(-20).join('\n')}`);
    const unstable = /^\[WARNING\] Flakes:[\s\S]*?(?=^\[INFO\] $)/m.exec(output)?.[0];
    if (unstable !== undefined) console.log(`UNSTABLE: passed only in the second run:\n${unstable}`);
    const journeys = [...output.matchAll(/Tests run: \d+, .*Skipped: (\d+),.* in (dev\.carillon\.\w*JourneyTest)/g)];
    const classes = new Set(journeys.map(([, , name]) => name));
    assert.ok(names !== undefined || classes.size === 2, `${classes.size} classes with journeys were run`);
    for (const [line, skipped] of journeys) assert.equal(skipped, '0', line);
  });
});

const portOf = (role: RoleProcess | undefined, name: 'api' | 'gateway'): number =>
  role?.ports[name] ?? assert.fail(`no ${name} was started`);
