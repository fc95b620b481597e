// Sends `atATime` login requests in parallel until it is stopped. Runs in a separate process, so that it does not slow
// down the process that measures latency.

interface Order {
  readonly url: string;
  readonly appId: string;
  readonly body: string;
  readonly atATime: number;
}

let flooding = false;
let logins = 0;

process.on('message', (order: Order | 'stop') => {
  if (order === 'stop') flooding = false;
  else void flood(order);
});

async function flood({ url, appId, body, atATime }: Order): Promise<void> {
  flooding = true;
  const logIn = async () => {
    while (flooding) {
      const headers = { app_id: appId, 'content-type': 'application/json' };
      const response = await fetch(`${url}/token/id`, { method: 'POST', headers, body });
      const { code } = (await response.json()) as { code: number };
      if (code !== 10013) throw new Error(`A wrong password returned code ${code} instead of 10013.`);
      logins++;
    }
  };
  await Promise.all(Array.from({ length: atATime }, logIn));
  process.send?.(logins);
}
