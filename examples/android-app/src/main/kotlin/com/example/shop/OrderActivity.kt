package com.example.shop

import android.app.Activity
import android.os.Bundle
import android.widget.TextView

/** The page that a notification opens. */
class OrderActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(TextView(this).apply { text = "Order ${intent.getStringExtra("order")}" })
    }
}
