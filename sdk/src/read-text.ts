/** Maximum size of a response body. The largest response is a page of 500 rows with a few hundred bytes each. */
const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;

/** Returns the body of a response. Throws a RangeError if it is larger than any response from Carillon. */
export async function readText(response: Response): Promise<string> {
  // In React Native, a response has no stream.
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) {
      await reader.cancel();
      throw new RangeError(`the response is larger than ${RESPONSE_BYTES_MAX} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
