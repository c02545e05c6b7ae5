print("breeze")
