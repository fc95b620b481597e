const { createPlugin } = require('./plugin.js');
const { version } = require('./package.json');

// Only an app with Expo loads this file, so that `expo` is an optional peer dependency.
module.exports = createPlugin(require('expo/config-plugins'), version);
