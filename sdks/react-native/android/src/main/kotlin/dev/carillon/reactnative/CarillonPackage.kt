package dev.carillon.reactnative

import com.facebook.react.BaseReactPackage
import com.facebook.react.bridge.NativeModule
import com.facebook.react.bridge.ReactApplicationContext
import com.facebook.react.module.model.ReactModuleInfo
import com.facebook.react.module.model.ReactModuleInfoProvider

/** Registers the native module. React Native finds this class by its name. */
class CarillonPackage : BaseReactPackage() {
    override fun getModule(name: String, reactContext: ReactApplicationContext): NativeModule? =
        if (name == CarillonModule.NAME) CarillonModule(reactContext) else null

    override fun getReactModuleInfoProvider() =
        ReactModuleInfoProvider {
            val module =
                ReactModuleInfo(
                    CarillonModule.NAME,
                    CarillonModule::class.java.name,
                    false, // replaces no other module
                    false, // created when JavaScript uses it
                    false, // not written in C++
                    false, // not generated: the new architecture calls it through its interop layer
                )
            mapOf(CarillonModule.NAME to module)
        }
}
