module.exports = {
  dependency: {
    platforms: {
      android: {
        packageImportPath: 'import dev.carillon.reactnative.CarillonPackage;',
        packageInstance: 'new CarillonPackage()',
      },
      ios: null,
    },
  },
};
